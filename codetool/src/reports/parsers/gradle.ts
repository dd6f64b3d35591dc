import { trimLines } from "../trim-lines.ts";
import {
  countsText,
  type Finding,
  makeReport,
  type ParseOutput,
  placeOf,
  plural,
} from "../report.ts";
import { readDiagnostics } from "./compiler-diagnostics.ts";
import { ownTrace, placeInTrace } from "./java-trace.ts";

/** Output of Gradle: tests, compilers' diagnostics, and the tasks that failed by themselves. */
export const parseGradle: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const result = /^BUILD (SUCCESSFUL|FAILED) in /m.exec(combined)?.[1];
  const tests = testsOf(lines);
  const compilers = readDiagnostics(lines);
  const kotlin = kotlinOf(lines);
  const errors = [...compilers.errors, ...kotlin.errors];
  const isExplained = tests.failures.length > 0 || errors.length > 0;
  const causes = causesOf(lines).filter(({ message }) => !(isExplained && isRepeating(message)));
  if (result === undefined && !isExplained && causes.length === 0 && tests.passed === 0)
    return undefined;
  const others = [...errors, ...causes];
  const counts = countsText([
    [tests.passed, "passed"],
    [tests.failed, "failed"],
    [tests.skipped, "skipped"],
  ]);
  const parts = [
    result === undefined ? "interrupted" : `BUILD ${result}`,
    counts,
    others.length === 0 ? "" : plural(others.length, "error"),
    // A test task that passes prints nothing of its tests.
    counts === "" && /^(?:> Task )?\S*:test$/m.test(combined) && result === "SUCCESSFUL"
      ? "Gradle counts tests only where some failed"
      : "",
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join("; "),
    passed: tests.passed,
    failed: tests.failed + others.length,
    skipped: tests.skipped,
    failures: [...tests.failures, ...others],
    warnings: [...compilers.warnings, ...kotlin.warnings],
  });
};

interface GradleTests {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Finding[];
}

/** `shop.PriceTest > sums FAILED` with its trace; the totals `4 tests completed, 2 failed, 1 skipped`, one a task. */
function testsOf(lines: readonly string[]): GradleTests {
  const failures: Finding[] = [];
  const seen = { PASSED: 0, FAILED: 0, SKIPPED: 0 };
  const totals = { completed: 0, failed: 0, skipped: 0 };
  let project: string | undefined;
  for (const [index, line] of lines.entries()) {
    const task = /^> Task (:(?:\S+:)?)\w+/.exec(line)?.[1];
    if (task !== undefined) project = task === ":" ? undefined : task.slice(0, -1);
    const total = /^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?$/.exec(line);
    if (total !== null) {
      totals.completed += Number(total[1]);
      totals.failed += Number(total[2] ?? 0);
      totals.skipped += Number(total[3] ?? 0);
    }
    const match = /^(?!> Task )(\S.* > .+) (PASSED|FAILED|SKIPPED)(?: \(.*\))?$/.exec(line);
    if (match === null) continue;
    const [, path = "", state = "PASSED"] = match;
    seen[state as keyof typeof seen] += 1;
    if (state !== "FAILED") continue;
    const following = lines.slice(index + 1);
    const end = following.findIndex((each) => /^\S/.test(each));
    const body = following
      .slice(0, end === -1 ? undefined : end)
      .map((each) => each.replace(/^ {4}/, ""));
    const name = path.split(" > ").join(".");
    const short = /\bat (\w+\.\w+:\d+)$/m.exec(body.join("\n"))?.[1];
    const location = placeInTrace(body.join("\n"), name) ?? short ?? null;
    const origin = project === undefined ? {} : { origin: project };
    failures.push({ name, location, message: ownTrace(body) || line, ...origin });
  }
  // Tasks that passed print no total, but may have printed their tests.
  const failed = Math.max(totals.failed, seen.FAILED);
  const skipped = Math.max(totals.skipped, seen.SKIPPED);
  const passed = Math.max(totals.completed - totals.failed - totals.skipped, seen.PASSED);
  return { passed, failed, skipped, failures };
}

/** `e: file:///path/A.kt:3:5 text`, before Kotlin 1.8 `e: /path/A.kt: (3, 5): text`. */
function kotlinOf(lines: readonly string[]): {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
} {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const line of lines) {
    const match =
      /^([ew]): (?:file:\/\/)?(\S.*?\.kts?)(?::(\d+):(\d+)|: \((\d+), (\d+)\):?) (.+)$/.exec(line);
    if (match === null) continue;
    const [, severity, file = "", at, column, otherAt, otherColumn, message = ""] = match;
    const location = placeOf(file, at ?? otherAt, column ?? otherColumn);
    (severity === "e" ? errors : warnings).push({ name: "kotlin", location, message });
  }
  return { errors, warnings };
}

/** What is under `* What went wrong:`, and the place under `* Where:` before it. */
function causesOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  let location: string | null = null;
  for (const [index, line] of lines.entries()) {
    const where =
      /^(?:Build file|Settings file|Script|Initialization script) '(.+)'(?: line: (\d+))?$/.exec(
        line,
      );
    if (where !== null) location = placeOf(where[1] ?? "", where[2]);
    if (line !== "* What went wrong:") continue;
    const following = lines.slice(index + 1);
    const end = following.findIndex((each) => each.startsWith("* "));
    const message = trimLines(end === -1 ? following : following.slice(0, end));
    const name = /^Execution failed for task '(.+?)'/.exec(message)?.[1] ?? "gradle";
    found.push({ name, location, message });
    location = null;
  }
  return found;
}

/** What only says that the tests or the compilation failed, which is said above it. */
function isRepeating(message: string): boolean {
  return /There were failing tests|Compilation (?:failed|error)/.test(message);
}
