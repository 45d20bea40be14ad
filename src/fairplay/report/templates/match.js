(() => {
  const $ = (id) => document.getElementById(id);
  const { tags, elements, frames, words, better } = JSON.parse($("data").textContent);
  const drawn = elements.map((numbers) => numbers.map((number) => tags[number]).join(""));
  const board = $("board"), slider = $("slider"), list = $("turns"), play = $("play");
  const buttons = [...list.querySelectorAll("button")];
  const last = frames.length - 1, PAUSE = 700;
  const chart = document.querySelector(".review"), plot = chart?.querySelector(".plot"), now = chart?.querySelector(".now");
  let at = -1, timer = 0;

  const show = (to) => {
    to = Math.max(0, Math.min(last, to));
    if (to === at) return;
    if (at >= 0) buttons[at].removeAttribute("aria-current");
    at = to;
    board.innerHTML = frames[at].map((number) => drawn[number]).join("");
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${at} of ${last}: ${words[at]}`);
    $("count").textContent = `${at} / ${last}`;
    $("words").textContent = words[at];
    if (chart) {
      $("better").textContent = better[at];
      for (const end of ["x1", "x2"]) now.setAttribute(end, `${1 + 98 * at / Math.max(1, last)}%`);
    }
    const current = buttons[at];
    current.setAttribute("aria-current", "step");
    const row = current.parentElement;  // the list alone scrolls, never the page around it
    list.scrollTop = row.offsetTop - (list.clientHeight - row.offsetHeight) / 2;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "▶";
    play.setAttribute("aria-label", "Play");
  };
  const start = () => {
    if (at === last) show(0);
    play.textContent = "❚❚";
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => (at < last ? show(at + 1) : stop()), PAUSE);
  };
  const toggle = () => (timer ? stop() : start());
  const go = (to) => { stop(); show(to); };

  slider.addEventListener("input", () => go(Number(slider.value)));
  $("back").addEventListener("click", () => go(at - 1));
  $("next").addEventListener("click", () => go(at + 1));
  play.addEventListener("click", toggle);
  buttons.forEach((button, number) => button.addEventListener("click", () => go(number)));
  chart?.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-turn]"), box = plot.getBoundingClientRect();
    if (!mark && event.target.closest("svg") !== plot) return;
    event.preventDefault();
    go(mark ? Number(mark.dataset.turn) : Math.round(last * (event.clientX - box.left) / box.width));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(last) };
    if (event.target.tagName !== "BUTTON") keys[" "] = toggle;
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  show(0);
})();
