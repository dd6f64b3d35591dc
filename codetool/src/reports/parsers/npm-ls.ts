import { findJson, isObject, type Json, type JsonObject, textOf } from "../json-in-text.ts";
import { makeReport, type ParseOutput, plural } from "../report.ts";
import { npmFailures, npmWarnings } from "./npm-messages.ts";

/** A longer tree is shown to its first level. */
const treeLinesMax = 60;

/** Output of `npm ls`: problems of the tree, and the tree itself. */
export const parseNpmLs: ParseOutput = ({ stdout, combined }) => {
  const json = findJson(stdout, isTree);
  const tree = json === undefined ? treeOfText(combined) : treeOfJson(json);
  const failures = npmFailures(combined, json);
  if (tree === undefined && failures.length === 0) return undefined;
  const warnings = npmWarnings(combined);
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
