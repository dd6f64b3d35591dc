import { findJson, isObject, type Json, type JsonObject, textOf } from "../json-in-text.ts";
import { trimLines } from "../lines.ts";
import { type Finding, makeReport, type ParseOutput, plural } from "../report.ts";

/** A longer tree is shown to its first level. */
const treeLinesMax = 60;

/** Output of `npm ls`: problems of the tree, and the tree itself. */
export const parseNpmLs: ParseOutput = ({ stdout, combined }) => {
  const json = findJson(stdout, isTree);
  const tree = json === undefined ? treeOfText(combined) : treeOfJson(json);
  const failures = failuresOf(combined, json);
  if (tree === undefined && failures.length === 0) return undefined;
  const warnings = [...combined.matchAll(/^npm (?:warn|WARN) (.+)$/gm)].map(
    ([, message = ""]): Finding => ({ name: "npm", location: null, message }),
  );
  const lines = tree ?? [];
  const top = lines.filter(({ depth }) => depth === 0);
  const shown = lines.length > treeLinesMax ? top : lines;
  const parts = [
    tree === undefined ? "" : plural(top.length, "package"),
    lines.length > top.length ? `${lines.length - top.length} below them` : "",
    lines.length > shown.length ? "not shown" : "",
    failures.length === 0 ? "" : plural(failures.length, "problem"),
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join(", "),
    failed: failures.length,
    failures,
    warnings,
    ...(shown.length === 0
      ? {}
      : { tail: shown.map(({ depth, text }) => "  ".repeat(depth) + text).join("\n") }),
  });
};

interface TreeLine {
  readonly depth: number;
  /** `name@version` and what is said about it. */
  readonly text: string;
}

function treeOfText(combined: string): readonly TreeLine[] | undefined {
  const lines: TreeLine[] = [];
  let isTreeSeen = false;
  for (const line of combined.split("\n")) {
    const match = /^((?:[\u2502|] | {2})*)[\u251c\u2514+`][\u2500-][\u2500\u252c-] (.+)$/.exec(
      line,
    );
    if (match === null) continue;
    isTreeSeen = true;
    const [, indent = "", text = ""] = match;
    if (text !== "(empty)") lines.push({ depth: indent.length / 2, text });
  }
  return isTreeSeen ? lines : undefined;
}

function isTree(value: Json): value is JsonObject {
  const isOther =
    isObject(value) &&
    ["dependencies", "problems", "name", "error"].every((key) => !(key in value));
  return isObject(value) && !isOther;
}

function treeOfJson(root: JsonObject, depth = 0): TreeLine[] {
  const dependencies = isObject(root["dependencies"]) ? root["dependencies"] : {};
  return Object.entries(dependencies).flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const version = textOf(value["version"]);
    const required = textOf(value["required"]);
    const remarks = [
      value["missing"] === true ? "missing" : "",
      value["extraneous"] === true ? "extraneous" : "",
      typeof value["invalid"] === "string" ? `invalid: ${value["invalid"]}` : "",
    ];
    const wanted = version === "" ? required : version;
    const label = wanted === "" ? name : `${name}@${wanted}`;
    const text = [label, ...remarks].filter((part) => part !== "").join(" ");
    return [{ depth, text }, ...treeOfJson(value, depth + 1)];
  });
}

/** What npm says at the end, a line a problem; in front of version 10 `npm ERR!`. */
function failuresOf(combined: string, json: JsonObject | undefined): Finding[] {
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
  const problems = json?.["problems"];
  for (const problem of Array.isArray(problems) ? problems : []) add(textOf(problem as Json));
  for (const text of said) {
    if (text.startsWith("code ")) code = text.slice("code ".length);
    else if (!/^A complete log of this run|^ {4}\S+-debug-\d+\.log$/.test(text)) add(text);
  }
  const message = trimLines(others);
  return message === "" ? found : [...found, { name: code, location: null, message }];
}
