import { jsonLines, numberOf, textOf } from "../json-in-text.ts";
import { makeReport, type ParseOutput, placeOf } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

/** Output of mypy: its JSON lines, else text, pretty or not. Notes belong to the error before them. */
export const parseMypy: ParseOutput = ({ stdout, combined, exitCode, words }) => {
  const lines = jsonLines(stdout).filter((each) => "severity" in each && "file" in each);
  if (lines.length > 0)
    return problemsReport(lines.map(problemOfJson), { whenNone: "no issues found" });
  const problems = problemsOf(combined.split("\n"));
  if (problems.length > 0) return problemsReport(problems, { whenNone: "no issues found" });
  const usage = /^mypy: (?:error: )?(.+)$/m.exec(combined)?.[1];
  if (exitCode !== 0 && usage !== undefined) {
    const failures = [{ name: "usage", location: null, message: usage }];
    return makeReport({ summary: "mypy could not run", failed: 1, failures });
  }
  // With JSON nothing at all is printed when all is well.
  const isClean =
    /^Success: no issues found/m.test(combined) || (words.length > 0 && combined.trim() === "");
  return exitCode === 0 && isClean ? makeReport({ summary: "no issues found" }) : undefined;
};

function problemOfJson(each: ReturnType<typeof jsonLines>[number]): Problem {
  const severity = textOf(each["severity"]);
  const line = numberOf(each["line"]);
  const hint = textOf(each["hint"]);
  const message = textOf(each["message"]);
  return {
    isError: severity === "error",
    name: severity === "note" ? "note" : textOf(each["code"]) || severity,
    // Columns of its JSON count from 0, those of its text from 1.
    location:
      line < 1
        ? textOf(each["file"])
        : placeOf(textOf(each["file"]), line, numberOf(each["column"]) + 1),
    message: hint === "" ? message : `${message}\n${hint}`,
  };
}

function problemsOf(lines: readonly string[]): Problem[] {
  const found: { isError: boolean; location: string; level: string; text: string }[] = [];
  let isOpen = false;
  for (const line of lines) {
    const placed = /^(\S.*?):(\d+)(?::(\d+)(?::\d+:\d+)?)?: (error|note|warning): (.*)$/.exec(line);
    const whole = /^(\S+\.pyi?): (error|note|warning): (.*)$/.exec(line);
    if (placed !== null || whole !== null) {
      const [file = "", at, column, level = "", text = ""] = placed?.slice(1) ?? [
        whole?.[1],
        undefined,
        undefined,
        whole?.[2],
        whole?.[3],
      ];
      found.push({ isError: level === "error", location: placeOf(file, at, column), level, text });
      isOpen = true;
    } else if (/^(?: {4}|Found |Success)/.test(line) || line === "") isOpen = false;
    else if (isOpen) {
      const last = found.at(-1);
      if (last !== undefined) last.text = `${last.text.trimEnd()} ${line}`;
    }
  }
  return found.map(({ isError, location, level, text }) => {
    const code = / +\[([a-z][\w-]*)\]$/.exec(text);
    return {
      isError,
      name: level === "note" ? "note" : (code?.[1] ?? level),
      location,
      message: code === null ? text : text.slice(0, code.index),
    };
  });
}
