import { type ParseOutput, placeOf } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

/** Output of the TypeScript compiler, pretty or not. */
export const parseTsc: ParseOutput = ({ combined, exitCode, words }) => {
  const problems = problemsOf(combined.split("\n"));
  if (problems.length === 0 && (exitCode !== 0 || words.length === 0)) return undefined;
  return problemsReport(problems, { whenNone: "no errors" });
};

function problemsOf(lines: readonly string[]): Problem[] {
  const problems: { readonly head: Omit<Problem, "message">; readonly lines: string[] }[] = [];
  let isInside = false;
  for (const line of lines) {
    const plain = /^(\S.*?)\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)$/.exec(line);
    const pretty = /^(\S.*?):(\d+):(\d+) - (error|warning) (TS\d+): (.*)$/.exec(line);
    const global = /^(error|warning) (TS\d+): (.*)$/.exec(line);
    const placed = plain ?? pretty;
    if (placed !== null) {
      const [, file = "", at, column, level, name = "", message = ""] = placed;
      const head = { isError: level === "error", name, location: placeOf(file, at, column) };
      problems.push({ head, lines: [message] });
      isInside = true;
    } else if (global !== null) {
      const [, level, name = "", message = ""] = global;
      problems.push({
        head: { isError: level === "error", name, location: null },
        lines: [message],
      });
      isInside = true;
    } else if (isInside && /^ {2}/.test(line) && !/^ +\S+:\d+:\d+ - /.test(line))
      problems.at(-1)?.lines.push(line);
    // The code that the pretty form shows, and what belongs to it, is in the file.
    else isInside = false;
  }
  return problems.map(({ head, lines: text }) => ({ ...head, message: text.join("\n").trimEnd() }));
}
