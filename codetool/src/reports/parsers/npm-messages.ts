import { isObject, type Json, type JsonObject, textOf } from "../json-in-text.ts";
import { trimLines } from "../trim-lines.ts";
import type { Finding } from "../report.ts";

/** What npm warns of. */
export function npmWarnings(combined: string): Finding[] {
  return [...combined.matchAll(/^npm (?:warn|WARN) (.+)$/gm)].map(([, message = ""]): Finding => ({
    name: "npm",
    location: null,
    message,
  }));
}

/** What npm says at the end, a line a problem of the tree; in front of it `npm ERR!` before version 10. */
export function npmFailures(combined: string, json?: JsonObject): Finding[] {
  const said = [...combined.matchAll(/^npm (?:error|ERR!) ?(.*)$/gm)].map(([, text = ""]) => text);
  const found: Finding[] = [];
  const others: string[] = [];
  let code = "npm";
  const add = (text: string): void => {
    const [, name = "", message = ""] =
      /^(missing|invalid|extraneous|peer dep missing|unmet): (.+)$/.exec(text) ?? [];
    if (name === "") others.push(text);
    else if (!found.some((each) => each.message === message && each.name === name))
      found.push({ name, location: null, message });
  };
  const problems: Json | undefined = isObject(json) ? json["problems"] : undefined;
  for (const problem of Array.isArray(problems) ? problems : []) add(textOf(problem as Json));
  for (const text of said) {
    if (text.startsWith("code ")) code = text.slice("code ".length);
    else if (!/^A complete log of this run|^ {4}\S+-debug-\d+\.log$/.test(text)) add(text);
  }
  const message = trimLines(others);
  return message === "" ? found : [...found, { name: code, location: null, message }];
}
