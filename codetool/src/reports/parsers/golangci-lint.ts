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
    return problemsReport(objectsOf(json["Issues"]).map(problemOfJson), { whenNone: "no issues" });
  const problems = [...combined.matchAll(/^(\S+?\.go):(\d+)(?::(\d+))?: (.+) \(([\w-]+)\)$/gm)].map(
    ([, file = "", line, column, message = "", name = ""]): Problem => ({
      isError: true,
      name,
      location: placeOf(file, line, column),
      message,
    }),
  );
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

function problemOfJson(issue: JsonObject): Problem {
  const place = isObject(issue["Pos"]) ? issue["Pos"] : {};
  return {
    isError: true,
    name: textOf(issue["FromLinter"]),
    location: placeOf(
      textOf(place["Filename"]),
      numberOf(place["Line"]) || null,
      numberOf(place["Column"]) || null,
    ),
    message: textOf(issue["Text"]),
  };
}
