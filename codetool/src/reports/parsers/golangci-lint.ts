import {
  findJson,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { makeReport, type ParseOutput, placeOf } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

/** Output of golangci-lint: its JSON, else text. */
export const parseGolangciLint: ParseOutput = ({ stdout, combined, exitCode, words }) => {
  const json = findJson(stdout, isGolangci);
  if (json !== undefined)
    return problemsReport(objectsOf(json["Issues"]).flatMap(problemsOfJson), {
      whenNone: "no issues",
    });
  const problems = problemsOfText(combined);
  if (problems.length > 0) return problemsReport(problems, { whenNone: "no issues" });
  const refusal = /^(?:Error: |level=error |The command is terminated).*$/m.exec(combined)?.[0];
  if (refusal !== undefined && exitCode !== 0) {
    const failures = [{ name: "golangci-lint", location: null, message: refusal }];
    return makeReport({ summary: "golangci-lint could not run", failed: 1, failures });
  }
  const isClean = exitCode === 0 && (/^0 issues\.$/m.test(combined) || words.length > 0);
  return isClean ? makeReport({ summary: "no issues" }) : undefined;
};

function isGolangci(value: Json): value is JsonObject {
  return isObject(value) && "Issues" in value;
}

/**
 * Lines `FILE:LINE:COLUMN: MESSAGE (LINTER)`. The compiler's errors come as one issue (`typecheck`) under a line that
 * names the package: a line each, and only the last says whose they are.
 */
function problemsOfText(text: string): Problem[] {
  const lines = [
    ...text.matchAll(/^(\S+?\.go):(\d+)(?::(\d+))?: (?!: #)(.+?)(?: \(([\w-]+)\))?$/gm),
  ];
  return lines.map(([, file = "", line, column, message = ""], index) => ({
    isError: true,
    name: lines.slice(index).find((later) => later[5] !== undefined)?.[5] ?? "typecheck",
    location: placeOf(file, line, column),
    message,
  }));
}

function problemsOfJson(issue: JsonObject): Problem[] {
  const name = textOf(issue["FromLinter"]);
  const message = textOf(issue["Text"]);
  const errors = name === "typecheck" ? problemsOfText(message) : [];
  if (errors.length > 0) return errors;
  const place = isObject(issue["Pos"]) ? issue["Pos"] : {};
  const location = placeOf(
    textOf(place["Filename"]),
    numberOf(place["Line"]) || null,
    numberOf(place["Column"]) || null,
  );
  return [{ isError: true, name, location, message }];
}
