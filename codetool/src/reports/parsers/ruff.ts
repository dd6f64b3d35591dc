import {
  findJson,
  isList,
  isObject,
  type Json,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { type ParseOutput, placeOf } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

/** Output of `ruff check` and `ruff format --check`: JSON, else the formats full and concise. */
export const parseRuff: ParseOutput = ({ stdout, combined }) => {
  const json = findJson(stdout, isRuff);
  if (json !== undefined) return problemsReport(problemsOfJson(json), { whenNone: "no problems" });
  const problems = problemsOf(combined.split("\n"));
  const isKnown =
    /^(?:All checks passed!|\d+ files? (?:already formatted|would be|left unchanged)|Found \d+ error)/m;
  if (problems.length === 0 && !isKnown.test(combined)) return undefined;
  return problemsReport(problems, { whenNone: "no problems" });
};

function isRuff(value: Json): value is readonly Json[] {
  return (
    isList(value) &&
    value.every((each) => isObject(each) && "filename" in each && "message" in each)
  );
}

function problemsOfJson(list: readonly Json[]): Problem[] {
  return objectsOf(list).map((each) => {
    const location = isObject(each["location"]) ? each["location"] : {};
    return {
      isError: each["severity"] !== "warning",
      name: textOf(each["code"]) || "invalid-syntax",
      location: placeOf(
        textOf(each["filename"]),
        numberOf(location["row"]) || null,
        numberOf(location["column"]),
      ),
      message: textOf(each["message"]),
    };
  });
}

function problemsOf(lines: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  for (const [index, line] of lines.entries()) {
    const full = /^([A-Z]+\d+|[a-z]+(?:-[a-z]+)*):? (?:\[\*\] )?(\S.*)$/.exec(line);
    const arrow = /^ *--> (.+?):(\d+):(\d+)$/.exec(lines[index + 1] ?? "");
    const concise = /^(\S.*?):(\d+):(\d+): ([A-Z]+\d+|[a-z]+(?:-[a-z]+)*):? (?:\[\*\] )?(.*)$/.exec(
      line,
    );
    const unformatted = /^Would reformat: (.+)$/.exec(line)?.[1];
    const refusal = /^(?:error|ruff failed)(?:: |$)(.*)$/i.exec(line);
    if (full !== null && arrow !== null)
      problems.push({
        isError: true,
        name: full[1] ?? "",
        location: placeOf(arrow[1] ?? "", arrow[2], arrow[3]),
        message: full[2] ?? "",
      });
    else if (concise !== null) {
      const [, file = "", at, column, name = "", message = ""] = concise;
      problems.push({ isError: true, name, location: placeOf(file, at, column), message });
    } else if (unformatted !== undefined)
      problems.push({
        isError: true,
        name: "unformatted",
        location: unformatted,
        message: "File would be reformatted",
      });
    else if (refusal !== null) {
      const message = lines.slice(index).join("\n").trim();
      return [...problems, { isError: true, name: "ruff", location: null, message }];
    }
  }
  return problems;
}
