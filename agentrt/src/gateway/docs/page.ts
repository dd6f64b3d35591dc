const style = `
:root { color-scheme: light dark; --line: #8885; --soft: #8881; --mono: ui-monospace, monospace; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; }
summary { cursor: pointer; padding: .5rem .75rem; display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; }
summary code { font: 600 14px var(--mono); overflow-wrap: anywhere; }
.method { font: 700 12px var(--mono); border: 1px solid currentColor; border-radius: 4px; padding: 0 .4rem; min-width: 4.5rem; text-align: center; }
.mode { margin-left: auto; opacity: .7; }
form, .global { padding: .25rem .75rem .75rem; display: grid; gap: .5rem; }
label { display: grid; gap: .2rem; font-size: 13px; }
input, textarea { font: 13px var(--mono); padding: .4rem; border: 1px solid var(--line); border-radius: 4px; width: 100%; background: transparent; color: inherit; }
textarea { min-height: 7rem; resize: vertical; }
button { font: inherit; padding: .35rem 1rem; border: 1px solid var(--line); border-radius: 4px; background: var(--soft); color: inherit; cursor: pointer; }
.actions { display: flex; gap: .5rem; }
pre { background: var(--soft); border-radius: 4px; padding: .6rem; margin: 0; overflow: auto; max-height: 24rem; font: 13px var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
[role=alert] { color: #c33; }
`;

const script = `
"use strict";
const root = document.querySelector("main");
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const field = (label, input) => make("label", {}, label, input);
const globals = new Map();
const nowMs = () => window.document.timeline.currentTime ?? 0;
function resolve(schema, document) {
  if (typeof schema !== "object" || schema === null || typeof schema.$ref !== "string") return schema;
  return schema.$ref.replace(/^#\\//, "").split("/").reduce((at, part) => at?.[part], document) ?? {};
}
function example(schema, document, depth = 0) {
  const found = resolve(schema, document) ?? {};
  if (found.example !== undefined) return found.example;
  if (found.default !== undefined) return found.default;
  if (Array.isArray(found.examples)) return found.examples[0];
  if (Array.isArray(found.enum)) return found.enum[0];
  if (found.const !== undefined) return found.const;
  if (depth > 6) return null;
  switch (Array.isArray(found.type) ? found.type[0] : found.type) {
    case "string": return "";
    case "integer": case "number": return found.minimum ?? 0;
    case "boolean": return false;
    case "null": return null;
    case "array": return found.items ? [example(found.items, document, depth + 1)] : [];
    default: {
      const members = Object.entries(found.properties ?? {});
      return Object.fromEntries(members.map(([name, each]) => [name, example(each, document, depth + 1)]));
    }
  }
}
function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}
function valueOf(parameter, text) {
  const isRest = parameter["x-rest"] === true;
  return isRest ? text.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(text);
}
function operationOf(path, method, operation, document) {
  const inputs = [];
  const form = make("form");
  for (const parameter of operation.parameters ?? []) {
    const input = make("input", { required: parameter.required === true, autocomplete: "off" });
    inputs.push([parameter, input]);
    form.append(field(parameter.name + " (" + parameter.in + ")", input));
  }
  const query = make("input", { placeholder: "name=value&other=value", autocomplete: "off" });
  form.append(field("query", query));
  const content = operation.requestBody?.content?.["application/json"];
  const body = content && make("textarea", { spellcheck: false, value: JSON.stringify(example(content.schema, document), null, 2) });
  if (body) {
    form.append(field("body", body));
    form.append(make("details", {}, make("summary", { textContent: "Schema of the body" }), make("pre", { textContent: JSON.stringify(content.schema, null, 2) })));
  }
  const good = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  const schema = Object.values(good?.[1].content ?? {})[0]?.schema;
  if (schema) form.append(make("details", {}, make("summary", { textContent: "Schema of the reply (" + good[0] + ")" }), make("pre", { textContent: JSON.stringify(schema, null, 2) })));
  const status = make("output", { ariaLive: "polite" });
  const result = make("pre", { hidden: true });
  const stop = make("button", { type: "button", textContent: "Stop", hidden: true });
  form.append(make("div", { className: "actions" }, make("button", { textContent: "Send" }), stop), status, result);
  let running;
  stop.addEventListener("click", () => running?.abort());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    running?.abort();
    const own = (running = new AbortController());
    let target = path;
    const headers = {};
    for (const [name, input] of globals) if (input.value) headers[name] = input.value;
    for (const [parameter, input] of inputs) {
      if (parameter.in === "path") target = target.replace("{" + parameter.name + "}", () => valueOf(parameter, input.value));
      else if (parameter.in === "header" && input.value) headers[parameter.name] = input.value;
    }
    if (query.value) target += "?" + query.value;
    if (body) headers["content-type"] = "application/json";
    status.textContent = "…";
    result.hidden = false;
    result.textContent = "";
    stop.hidden = false;
    const begun = nowMs();
    try {
      const response = await fetch(target, { method, headers, body: body?.value, signal: own.signal });
      const told = () => (status.textContent = response.status + " " + response.statusText + " · " + Math.round(nowMs() - begun) + " ms");
      told();
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader.read()) {
        text += piece.value;
        result.textContent = text;
      }
      result.textContent = pretty(text);
      told();
    } catch (error) {
      status.textContent = own.signal.aborted ? "stopped" : String(error);
    }
    stop.hidden = true;
  });
  return make("details", {},
    make("summary", {}, make("span", { className: "method", textContent: method }), make("code", { textContent: path }), make("span", { className: "mode", textContent: operation.summary })),
    form);
}
async function start() {
  const url = root.dataset.document;
  const response = await fetch(url);
  const document_ = await response.json();
  document.title = document_.info.title + " API";
  root.append(make("h1", { textContent: document_.info.title }), make("p", {}, make("a", { href: url, textContent: "OpenAPI " + document_.openapi })));
  const global = make("div", { className: "global" });
  for (const name of ["Authorization", "X-API-Key"]) {
    const input = make("input", { autocomplete: "off" });
    globals.set(name, input);
    global.append(field(name, input));
  }
  root.append(make("details", {}, make("summary", { textContent: "Headers of every request" }), global));
  const groups = new Map();
  for (const [path, item] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] ?? "";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operationOf(path, method.toUpperCase(), operation, document_));
    }
  }
  for (const [tag, operations] of groups) root.append(make("section", {}, make("h2", { textContent: tag }), ...operations));
}
start().catch((error) => root.append(make("p", { role: "alert", textContent: String(error) })));
`;

const htmlEscapes: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/**
 * Makes the page that shows an API's description and sends requests from it. Style and script are in the page: it loads
 * nothing from anywhere but the gateway itself.
 *
 * @param documentPath Path of the OpenAPI document on the same gateway.
 * @returns The page, and its script and style, for a policy that allows only these.
 */
export function docsPage(documentPath: string): {
  readonly html: string;
  readonly script: string;
  readonly style: string;
} {
  const path = documentPath.replace(/[&<>"]/g, (character) => htmlEscapes[character] ?? "");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main data-document="${path}"><noscript>The description of this API: <a href="${path}">${path}</a></noscript></main>
<script>${script}</script>
</body>
</html>
`;
  return { html, script, style };
}
