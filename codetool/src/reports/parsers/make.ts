import { trimLines } from "../trim-lines.ts";
import { type Finding, makeReport, type ParseOutput, plural, type Report } from "../report.ts";
import { readDiagnostics } from "./compiler-diagnostics.ts";

/** Lines before a failed recipe that may say why, at most. */
const contextLinesMax = 12;

/** Output of make, ninja and the compilers that they run: the compilers' diagnostics, else the recipe that failed. */
export const parseMake: ParseOutput = ({ combined, exitCode, words }) => {
  const lines = combined.split("\n");
  const { errors, warnings } = readDiagnostics(lines);
  const recipes = failedRecipes(lines);
  const isInterrupted = recipes.some(({ isInterrupt }) => isInterrupt);
  const unexplained = recipes.filter(
    ({ isInterrupt, isPlain }) => !isInterrupt && !(isPlain && errors.length > 0),
  );
  const failures = [...errors, ...unexplained.map(({ finding }) => finding)];
  if (failures.length === 0 && warnings.length === 0 && !isInterrupted) {
    const isCompiler = /(?:^|[-/])(?:cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(?:-\d+)?$/;
    const isQuiet = combined.trim() === "" || /^ninja: no work to do\.$/m.test(combined);
    return exitCode === 0 && isQuiet && isCompiler.test(words[0] ?? "")
      ? buildReport([], [])
      : undefined;
  }
  return buildReport(failures, warnings, isInterrupted ? "interrupted" : undefined);
};

/** The report of a build: errors are what failed. */
export function buildReport(
  failures: readonly Finding[],
  warnings: readonly Finding[],
  ending?: string,
): Report {
  const parts = [
    ...(failures.length > 0 ? [plural(failures.length, "error")] : []),
    ...(ending === undefined ? [] : [ending]),
    ...(failures.length === 0 && ending === undefined ? ["build succeeded"] : []),
    ...(warnings.length > 0 ? [plural(warnings.length, "warning")] : []),
  ];
  return makeReport({ summary: parts.join(", "), failed: failures.length, failures, warnings });
}

interface FailedRecipe {
  readonly finding: Finding;
  readonly isInterrupt: boolean;
  /** It says only that what ran before it failed. */
  readonly isPlain: boolean;
}

/** `make: *** [Makefile:7: main.o] Error 1`, `Makefile:3: *** missing separator.  Stop.`, `FAILED: main.o` of ninja. */
function failedRecipes(lines: readonly string[]): FailedRecipe[] {
  const found: FailedRecipe[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const own =
      /^(?:\S*make(?:\[\d+\])?|(\S.*?:\d+)): \*\*\* (.+)$/.exec(line) ??
      /^()ninja: ((?:error|fatal): .+)$/.exec(line);
    const ninja = /^FAILED: (?:\[code=(\d+)\] )?(.+?) *$/.exec(line);
    if (ninja !== null) {
      const message = trimLines(untilNextStep(lines.slice(index + 1)));
      const finding = { name: ninja[2] ?? "", location: null, message: message || line };
      found.push({ finding, isInterrupt: false, isPlain: true });
    }
    if (own === null) continue;
    const [, place, text = ""] = own;
    const recipe = /^\[(?:(\S.*?:\d+): )?(.+?)\] (.+)$/.exec(text);
    const isPrelude = /^(?:Waiting for unfinished jobs|Deleting |\[.*\] Deleting )/.test(text);
    if (!isPrelude && !isRepeatedAbove(found, line)) {
      const context = lines.slice(Math.max(start, index - contextLinesMax), index);
      const isPlain = recipe !== null;
      const message = isPlain ? trimLines([...context, line]) : text;
      const name = recipe?.[2] ?? "make";
      const finding = { name, location: recipe?.[1] ?? (place || null), message };
      found.push({
        finding,
        isInterrupt: /^(?:Interrupt|Terminated)$/.test(recipe?.[3] ?? ""),
        isPlain,
      });
    }
    start = index + 1;
  }
  return found;
}

/** A make that called the failed one says so too, one level less deep. */
function isRepeatedAbove(found: readonly FailedRecipe[], line: string): boolean {
  const depth = /^\S*make(?:\[(\d+)\])?:/.exec(line);
  if (depth === null || found.length === 0) return false;
  const last = found.at(-1)?.finding.message.split("\n").at(-1) ?? "";
  const lastDepth = Number(/^\S*make\[(\d+)\]:/.exec(last)?.[1] ?? 0);
  return lastDepth > Number(depth[1] ?? 0);
}

function untilNextStep(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^(?:\[\d+\/\d+\] |FAILED: |ninja: )/.test(line));
  return (end === -1 ? lines : lines.slice(0, end)).slice(0, contextLinesMax);
}
