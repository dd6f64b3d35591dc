import { problemsReport, type Problem } from "../problems.ts";
import { jsonLines, textOf } from "../json-in-text.ts";
import { type ParseOutput, placeOf } from "../report.ts";

/**
 * Output of `go build`, `go vet` and what else compiles packages: `file.go:line:column: text`, the lines behind a tab
 * belong to it, and what the command itself says of packages and modules. Also the events of `go build -json`.
 */
export const parseGoBuild: ParseOutput = ({ stdout, combined, exitCode, words }) => {
  const printed = jsonLines(stdout).flatMap((event) =>
    textOf(event["Action"]) === "build-output" ? [textOf(event["Output"])] : [],
  );
  const lines = (printed.length > 0 ? printed.join("") : combined).split("\n");
  const problems = problemsOf(lines, words.includes("vet") ? "vet" : "compile");
  const isQuiet = exitCode === 0 && combined.trim() === "";
  if (problems.length === 0 && !isQuiet) return undefined;
  return problemsReport(problems, { whenNone: "no errors" });
};

function problemsOf(lines: readonly string[], step: string): Problem[] {
  const problems: Problem[] = [];
  let last: { readonly problem: Omit<Problem, "message">; readonly lines: string[] } | undefined;
  const end = (): void => {
    if (last !== undefined) problems.push({ ...last.problem, message: last.lines.join("\n") });
    last = undefined;
  };
  for (const line of lines) {
    const found = /^(vet: )?(\S.*?\.(?:go|c|h|s|mod|work)):(\d+)(?::(\d+))?: (.+)$/.exec(line);
    // `go: `, without a place; what it downloads is no trouble.
    const own = /^(?:go|package \S+|\S+ imports)(?:: | )(.+)$/.exec(line);
    const isTrouble =
      own !== null && !/^(?:downloading|finding|extracting|upgraded|added) /.test(own[1] ?? "");
    if (found !== null) {
      end();
      const [, early, file = "", at, column, text = ""] = found;
      const location = placeOf(file, at, column);
      const name = early === undefined ? step : "compile";
      last = { problem: { isError: true, name, location }, lines: [text] };
    } else if (line.startsWith("\t") && last !== undefined) last.lines.push(line.trim());
    else if (isTrouble) {
      end();
      last = { problem: { isError: true, name: "go", location: null }, lines: [line] };
    } else end();
  }
  end();
  return problems.filter(({ message }) => message !== "too many errors");
}
