// @ts-check
// A request of the API, out of what was typed into a form; and the same as a command.

/** @typedef {{ name: string, in: string, required: boolean, example?: unknown }} Parameter */
/** @typedef {{ method: string, path: string, headers: Record<string, string>, body: string }} ApiRequest */

/**
 * @param {string} method @param {string} template such as /api/matches/{id}
 * @param {Parameter[]} parameters @param {Record<string, string>} given
 * @param {{ body: string, seat: string, token: string }} more
 * @returns {ApiRequest}
 */
export function buildRequest(method, template, parameters, given, { body, seat, token }) {
  const query = new URLSearchParams();
  let path = template;
  for (const { name, in: place } of parameters) {
    const value = given[name] ?? "";
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value) query.set(name, value);
  }
  /** @type {Record<string, string>} */
  const headers = {};
  if (body) headers["Content-Type"] = "application/json";
  if (seat) headers["Fairplay-Seat"] = seat;
  if (token) headers.Authorization = `Bearer ${token}`;
  return { method, path: query.size ? `${path}?${query}` : path, headers, body };
}

/** @param {string} origin @param {ApiRequest} request */
export function buildCurl(origin, { method, path, headers, body }) {
  const parts = ["curl", ...(method === "GET" ? [] : ["-X", method]), quote(origin + path)];
  for (const [name, value] of Object.entries(headers)) parts.push("-H", quote(`${name}: ${value}`));
  if (body) parts.push("-d", quote(body));
  return parts.join(" ");
}

/** A word that a shell takes as it is. @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
