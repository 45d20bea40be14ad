// @ts-check
// The name that a visitor plays under: typed once, kept in this browser, sent with every form that asks for it.

const KEPT = "fairplay-name";

/** The visitor's name; empty: none was chosen. */
export const readName = () => localStorage.getItem(KEPT) ?? "";

/** @param {string} name */
function keepName(name) {
  if (name) localStorage.setItem(KEPT, name);
  else localStorage.removeItem(KEPT);
}

/** Put the name wherever the page shows or sends it. */
function showName() {
  const name = readName(), shown = document.getElementById("who-name");
  if (shown) shown.textContent = name || "guest";
  for (const field of document.querySelectorAll("input[data-my-name]")) /** @type {HTMLInputElement} */ (field).value = name;
}

/** The name as the server would show it. @param {string} name @returns {Promise<string>} */
async function checkName(name) {
  if (!name) return "";
  const response = await fetch(`/api/name?${new URLSearchParams({ name })}`), answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer.name;
}

/** @param {HTMLDetailsElement} panel @param {HTMLFormElement} form */
function offerName(panel, form) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("name"));
  const error = /** @type {HTMLElement} */ (document.getElementById("who-error"));
  panel.hidden = false;
  field.value = readName();
  panel.addEventListener("toggle", () => {
    if (panel.open) return field.focus();
    field.value = readName();  // not when it opens: that event may come after the first letters
    error.hidden = true;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      keepName(await checkName(field.value.trim()));
      panel.open = false;
    } catch (problem) {
      error.textContent = problem instanceof Error ? problem.message : String(problem);
      error.hidden = false;
    }
    showName();
  });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") panel.open = false; });
  document.addEventListener("click", ({ target }) => { if (!panel.contains(/** @type {Node} */ (target))) panel.open = false; });
}

const panel = document.getElementById("who"), form = document.getElementById("who-form");
if (panel instanceof HTMLDetailsElement && form instanceof HTMLFormElement) offerName(panel, form);
addEventListener("storage", showName);  // another tab has changed it
addEventListener("pageshow", showName);  // the browser has put back what the fields held
showName();
