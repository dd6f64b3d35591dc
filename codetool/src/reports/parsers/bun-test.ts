import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput, placeOf } from "../report.ts";

const outcome = /^\s*(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (.+?)(?: \[[\d.]+m?s\])?$/;

/** Output of `bun test`. */
export const parseBunTest: ParseOutput = ({ combined }) => {
  const of = (word: string): number | undefined => {
    const count = new RegExp(`^ *(\\d+) ${word}$`, "m").exec(combined)?.[1];
    return count === undefined ? undefined : Number(count);
  };
  const isBun =
    /^bun test v\d/m.test(combined) || /^Ran \d+ tests? across \d+ files?\./m.test(combined);
  const [passed, failed] = [of("pass"), of("fail")];
  if (
    !isBun ||
    (passed === undefined && failed === undefined && !/error:|did not match/.test(combined))
  )
    return undefined;
  const unmatched = /^The following filters did not match any test files:[\s\S]*/m.exec(
    combined,
  )?.[0];
  if (unmatched !== undefined && passed === undefined) {
    const failures = [{ name: "bun test", location: null, message: unmatched.trim() }];
    return makeReport({ summary: "no tests found", failed: 1, failures });
  }
  const skipped = (of("skip") ?? 0) + (of("todo") ?? 0);
  const failures = failuresOf(combined.split("\n"));
  const counted = failed ?? failures.length;
  const text = countsText([
    [passed ?? 0, "passed"],
    [counted, "failed"],
    [skipped, "skipped"],
  ]);
  const summary = text === "" ? "no tests ran" : text;
  return makeReport({ summary, passed: passed ?? 0, failed: counted, skipped, failures });
};

/** What is between one outcome and the next belongs to the next. */
function failuresOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  let file = "";
  let pending: string[] = [];
  const add = (name: string): void => {
    const message = trimLines(pending);
    if (message !== "" && !found.some((each) => each.name === name && each.message === message))
      found.push({ name, location: placeIn(message) ?? (file || null), message });
    pending = [];
  };
  for (const line of lines) {
    const result = outcome.exec(line);
    const heading = /^(\S.*\.[cm]?[jt]sx?):$/.exec(line)?.[1];
    if (/^ *\d+ (?:pass|fail)$/.test(line) || /^\d+ tests? failed:$/.test(line)) break;
    if (heading !== undefined) {
      if (pending.some((each) => /^(?:# Unhandled error|error: )/.test(each))) add(file);
      file = heading;
      pending = [];
    } else if (result === null) pending.push(line);
    else if (result[1] === "fail" || result[2] === "✗") add(result[3] ?? "");
    else pending = [];
  }
  if (pending.some((each) => /^(?:# Unhandled error|error: )/.test(each))) add(file || "bun test");
  return found;
}

function placeIn(message: string): string | undefined {
  const frame = /^\s+at (?:.*\()?([^\s()]+):(\d+):(\d+)\)?$/m.exec(message);
  return frame === null ? undefined : placeOf(frame[1] ?? "", frame[2], frame[3]);
}
