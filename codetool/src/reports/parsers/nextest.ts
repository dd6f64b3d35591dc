import { trimLines } from "../lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";
import { placeOfPanic } from "./cargo-test.ts";
import { rustProblems } from "./rustc.ts";

const failedState = "FAIL|SIG[A-Z]+|ABORT|TIMEOUT|LEAK-FAIL|FL-FAIL|XFAIL|EXECFAIL";

/** Output of `cargo nextest run`. */
export const parseNextest: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const total = /^ *Summary \[ *[\d.]+s\] (.+)$/m.exec(combined)?.[1];
  const errors = rustProblems(lines).filter(({ isError }) => isError);
  if (total === undefined && errors.length === 0) return undefined;
  const of = (word: string): number =>
    Number(new RegExp(`(\\d+) ${word}`).exec(total ?? "")?.[1] ?? 0);
  const [passed, skipped] = [of("passed"), of("skipped")];
  const failed = of("failed") + of("exec failed") + of("timed out") + errors.length;
  const text = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  const failures = [
    ...errors.map(({ name, location, message }) => ({ name, location, message })),
    ...testsOf(lines),
  ];
  return makeReport({
    summary: text === "" ? "no tests ran" : text,
    passed,
    failed,
    skipped,
    failures,
  });
};

/** A line with the state of a test, and the blocks with its output; a last attempt counts. */
function testsOf(lines: readonly string[]): Finding[] {
  const outputs = new Map<string, string[]>();
  let current: string[] | undefined;
  let lastName = "";
  const stateLine = new RegExp(
    `^ *(?:TRY \\d+ )?(PASS|SLOW|LEAK|SKIP|${failedState}|RETRY|FLAKY\\S*) (?:\\[[^\\]]*\\] )?(?:\\(\\S+\\) )?(\\S.*)$`,
  );
  const states = new Map<string, string>();
  for (const line of lines) {
    const state = stateLine.exec(line);
    // "──── STDOUT: name" once, "  stdout ───" under the state since.
    const old = /^─+(?: TRY \d+)? (?:STDOUT|STDERR|OUTPUT): +(.+?) ?─*$/.exec(line)?.[1];
    const isNew = /^ {2}(?:stdout|stderr|output) ─+$/.test(line);
    if (old !== undefined || isNew) {
      const name = nameOf(old ?? lastName);
      current = outputs.get(name) ?? [];
      outputs.set(name, current);
    } else if (state !== null) {
      lastName = state[2] ?? "";
      states.set(nameOf(lastName), state[1] ?? "");
      current = undefined;
    } else if (/^─{4,}$| +(?:Cancelling|Summary) /.test(line)) current = undefined;
    else current?.push(line);
  }
  const isFailed = new RegExp(`^(?:${failedState})$`);
  return [...states]
    .filter(([, state]) => isFailed.test(state))
    .map(([name, state]) => {
      const output = trimLines(outputs.get(name) ?? []);
      return { name, location: placeOfPanic(output), message: output === "" ? state : output };
    });
}

function nameOf(text: string): string {
  return text.trim().replaceAll(/ +/g, " ");
}
