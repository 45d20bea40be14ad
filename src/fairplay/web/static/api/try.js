// @ts-check
// Trying the API: a form made out of its description, and the response.
import { $, callApi } from "../common.js";
import { buildCurl, buildRequest } from "./request.js";

/** @typedef {import("./request.js").Parameter} Parameter */
/**
 * @typedef {object} Operation
 * @property {string} summary
 * @property {Parameter[]} parameters
 * @property {{ content: Record<string, { example: unknown }> }} [requestBody]
 * @property {Record<string, unknown>[]} [security]
 */

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ ($(id));
const operationField = /** @type {HTMLSelectElement} */ (/** @type {unknown} */ ($("operation")));
const MAX_SHOWN = 200_000;
/** @type {Record<string, Record<string, Operation>>} */
let paths = {};

/** @returns {[string, string, Operation]} method, path and description */
function chosen() {
  const [method, path] = operationField.value.split(" ");
  return [method, path, paths[path][method.toLowerCase()]];
}

function showForm() {
  const [, , operation] = chosen(), { parameters, requestBody } = operation;
  $("summary").textContent = operation.summary;
  $("parameters").hidden = !parameters.length;
  $("parameters").querySelector("div")?.replaceChildren(...parameters.map(parameterField));
  $("body-label").hidden = !requestBody;
  field("body").value = requestBody ? JSON.stringify(requestBody.content["application/json"].example, null, 2) : "";
  const schemes = (operation.security ?? []).flatMap(Object.keys);
  $("seat-label").hidden = !schemes.includes("seat");
  $("token-label").hidden = !schemes.includes("owner");
  history.replaceState(null, "", `#${operationField.value.replace(" ", "")}`);
  showCurl();
}

/** @param {Parameter} parameter */
function parameterField({ name, required, example }) {
  const label = document.createElement("label"), input = document.createElement("input");
  input.name = name;
  input.autocomplete = "off";
  input.required = required;
  input.placeholder = String(example ?? "");
  label.append(`${name} `, input);
  if (!required) label.append(Object.assign(document.createElement("span"), { className: "hint", textContent: "optional" }));
  return label;
}

/** The request that the form describes. */
function readForm() {
  const [method, path, operation] = chosen();
  const given = Object.fromEntries([...$("parameters").querySelectorAll("input")].map(({ name, value }) => [name, value]));
  const body = operation.requestBody ? field("body").value : "";
  const seat = $("seat-label").hidden ? "" : field("seat").value, token = $("token-label").hidden ? "" : field("token").value;
  return buildRequest(method, path, operation.parameters, given, { body, seat, token });
}

function showCurl() {
  $("curl").textContent = buildCurl(location.origin, readForm());
}

async function send() {
  const { path, method, headers, body } = readForm(), started = performance.now();
  const response = await fetch(path, { method, headers, body: body || undefined });
  const content = await response.blob(), type = response.headers.get("Content-Type") ?? "";
  const time = Math.round(performance.now() - started);
  $("status").textContent = `${response.status} ${response.statusText}, ${type}, ${content.size} bytes, ${time} ms`;
  const isImage = type.startsWith("image/");
  $("image").hidden = !isImage;
  if (isImage) field("image").src = await readAsUrl(content);
  $("answer").textContent = isImage ? "" : format((await content.text()).slice(0, MAX_SHOWN), type);
}

/** @param {string} text @param {string} type */
function format(text, type) {
  if (!type.includes("json")) return text;
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

/** @param {Blob} content @returns {Promise<string>} */
function readAsUrl(content) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsDataURL(content);
  });
}

$("request").onsubmit = async (/** @type {Event} */ event) => {
  event.preventDefault();
  $("status").textContent = "Sending …";
  try { await send(); } catch (error) { $("status").textContent = /** @type {Error} */ (error).message; }
};
$("request").oninput = showCurl;
operationField.onchange = showForm;

({ paths } = await callApi("/api/openapi.json"));
const wanted = [...operationField.options].find(({ value }) => `#${value.replace(" ", "")}` === decodeURI(location.hash));
if (wanted) operationField.value = wanted.value;
showForm();
