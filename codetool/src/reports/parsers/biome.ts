import {
  findJson,
  isList,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { trimLines } from "../trim-lines.ts";
import { makeReport, type ParseOutput, placeOf, plural, type Report } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

/** Output of Biome: its JSON, else text. */
export const parseBiome: ParseOutput = ({ stdout, combined }) => {
  const json = findJson(stdout, isBiome);
  if (json !== undefined) return reportOfJson(json);
  const problems = problemsOf(combined.split("\n"));
  const isKnown = /^(?:Checked|Formatted) \d+ files?/m.test(combined);
  const refusal = /^Error: .+$/m.exec(combined)?.[0];
  if (problems.length === 0 && !isKnown && refusal !== undefined) {
    const failures = [{ name: "biome", location: null, message: refusal }];
    return makeReport({ summary: "biome could not run", failed: 1, failures });
  }
  if (problems.length === 0 && !isKnown) return undefined;
  const report = problemsReport(problems, { whenNone: "no problems" });
  return counted(report, {
    errors: Number(/^Found (\d+) errors?\.$/m.exec(combined)?.[1] ?? report.failed),
    warnings: Number(/^Found (\d+) warnings?\.$/m.exec(combined)?.[1] ?? report.warnings.length),
  });
};

function isBiome(value: Json): value is JsonObject {
  return isObject(value) && isObject(value["summary"]) && isList(value["diagnostics"]);
}

/** Biome prints a part of what it finds, and counts all. */
function counted(
  report: Report,
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
): Report {
  if (errors === report.failed && warnings === report.warnings.length) return report;
  const summary = `${plural(errors, "error")}, ${plural(warnings, "warning")}; not all are printed`;
  return makeReport({ ...report, summary, failed: errors });
}

function reportOfJson(json: JsonObject): Report {
  const problems = objectsOf(json["diagnostics"]).map((each): Problem => {
    const location = isObject(each["location"]) ? each["location"] : {};
    const start = isObject(location["start"]) ? location["start"] : {};
    const [line, column] = [numberOf(start["line"]), numberOf(start["column"])];
    const path = isObject(location["path"])
      ? textOf(location["path"]["file"])
      : textOf(location["path"]);
    const severity = textOf(each["severity"]);
    return {
      isError: severity === "error" || severity === "fatal",
      name: textOf(each["category"]),
      location: line === 0 ? path || null : placeOf(path, line, column),
      message: textOf(each["message"]) || textOf(each["description"]),
    };
  });
  const summary = isObject(json["summary"]) ? json["summary"] : {};
  return counted(problemsReport(problems, { whenNone: "no problems" }), {
    errors: numberOf(summary["errors"]),
    warnings: numberOf(summary["warnings"]),
  });
}

/** `file:line:column category ━━━`, then a cross or an exclamation mark with the message, then advice. */
function problemsOf(lines: readonly string[]): Problem[] {
  const blocks: { readonly name: string; readonly location: string; readonly lines: string[] }[] =
    [];
  let isInside = false;
  for (const line of lines) {
    const heading = /^(\S+?)(?::(\d+):(\d+))? ([a-z]\S*)(?: +[A-Z]+)* +━{3,}$/.exec(line);
    if (heading !== null) {
      const [, file = "", at, column, name = ""] = heading;
      blocks.push({ name, location: placeOf(file, at, column), lines: [] });
      isInside = true;
    } else if (/^\S/.test(line)) isInside = false;
    else if (isInside) blocks.at(-1)?.lines.push(line.replace(/^ {2}/, ""));
  }
  return blocks.map(({ name, location, lines: body }) => {
    const first = body.findIndex((line) => /^[×✖!⚠iℹ] /.test(line));
    const mark = body[first]?.[0] ?? "×";
    const text = [body[first]?.slice(2) ?? "", ...body.slice(first + 1)];
    const isError = mark === "×" || mark === "✖";
    return { isError, name, location, message: isError ? trimLines(text) : (text[0] ?? "") };
  });
}
