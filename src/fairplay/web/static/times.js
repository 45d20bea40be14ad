// @ts-check
// Times in the visitor's own time zone and language; without this script they are in UTC.

const WRITTEN = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?: UTC|Z)$/;
/** @type {Intl.DateTimeFormatOptions} */
const SHORT = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
const thisYear = new Intl.DateTimeFormat(undefined, SHORT), before = new Intl.DateTimeFormat(undefined, { ...SHORT, year: "numeric" });

/** @param {HTMLTimeElement} element */
function localize(element) {
  const found = WRITTEN.exec((element.dateTime || element.textContent || "").trim());
  if (!found) return;
  const time = new Date(`${found[1]}T${found[2]}Z`);
  element.dateTime = time.toISOString();
  element.title = `${found[1]} ${found[2]} UTC`;
  element.textContent = (time.getFullYear() === new Date().getFullYear() ? thisYear : before).format(time);
}

for (const element of document.querySelectorAll("time")) localize(element);

// Forms that ask for days say which time zone is meant: minutes ahead of UTC.
for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-zone]"))) {
  input.value = String(-new Date().getTimezoneOffset());
  input.disabled = false;
}
