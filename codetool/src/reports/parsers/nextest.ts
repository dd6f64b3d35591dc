import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";
import { placeOfPanic } from "./cargo-test.ts";
import { rustProblems } from "./rustc.ts";

const failedState = "FAIL|SIG[A-Z]+|ABRT|ABORT|TIMEOUT|TMT|LEAK-FAIL|FL-FAIL|XFAIL|EXECFAIL";

/** `TRY 2 FAIL [   0.009s] ( 3/10) shop tests::adds`: the attempt, the state and the name of a test. */
const stateLine = new RegExp(
  `^ *(?:TRY (\\d+) )?(PASS|SLOW|TERMINATING|LEAK|SKIP|${failedState}|RETRY|FLAKY)(?: \\d+/\\d+)? (?:\\[[^\\]]*\\] )?(?:\\([^)]*\\) )?(\\S.*)$`,
);

/** Output of `cargo nextest run`. */
export const parseNextest: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const total = /^ *Summary \[ *[\d.]+s\] (.+)$/m.exec(combined)?.[1];
  const errors = rustProblems(lines).filter(({ isError, message }) => isError && !isOwn(message));
  if (total === undefined && errors.length === 0) return undefined;
  const of = (word: string): number =>
    Number(new RegExp(`(\\d+) ${word}`).exec(total ?? "")?.[1] ?? 0);
  const [passed, skipped] = [of("passed"), of("skipped")];
  const failed = of("failed") + of("exec failed") + of("timed out") + errors.length;
  const notRun = Number(/^warning: (\d+)\/\d+ tests? were not run/m.exec(combined)?.[1] ?? 0);
  const text = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
    [notRun, "not run"],
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

/** It says with a whole command line that cargo failed, which cargo told before. */
function isOwn(message: string): boolean {
  return /^command `.*` exited with code/.test(message);
}

interface Attempt {
  readonly number: string;
  state: string;
  readonly output: string[];
}

/** A line with the state of a test, and the blocks with its output; a last attempt counts. */
function testsOf(lines: readonly string[]): Finding[] {
  const attempts = new Map<string, Attempt>();
  let current: string[] | undefined;
  let last: Attempt | undefined;
  for (const line of lines) {
    const [, number = "", state, text = ""] = stateLine.exec(line) ?? [];
    // "──── STDOUT: name" once, "  stdout ───" under the state since.
    const old = /^─+(?: TRY \d+)? (?:STDOUT|STDERR|OUTPUT): +(.+?) ?─*$/.exec(line)?.[1];
    if (old !== undefined) current = attempts.get(nameOf(old))?.output;
    else if (/^ {2}(?:stdout|stderr|output) ─+$/.test(line)) current = last?.output;
    else if (state !== undefined) {
      const name = nameOf(text);
      const before = attempts.get(name);
      last = before?.number === number ? before : { number, state, output: [] };
      last.state = state;
      attempts.set(name, last);
      current = undefined;
    } else if (/^─{4,}$| +(?:Cancelling|Summary) /.test(line)) current = undefined;
    else current?.push(line);
  }
  const isFailed = new RegExp(`^(?:${failedState})$`);
  return [...attempts]
    .filter(([, { state }]) => isFailed.test(state))
    .map(([name, { state, output }]) => {
      const message = messageOf(output);
      return { name, location: placeOfPanic(message), message: message === "" ? state : message };
    });
}

/** What a test wrote, without what its harness says around it: that one test ran, and failed. */
function messageOf(output: readonly string[]): string {
  const text = output
    .map((line) => line.replace(/^ {4}/, ""))
    .filter(
      (line) => !/^(?:running 1 test|test .+ \.\.\. FAILED|test result: FAILED\..*)$/.test(line),
    )
    .join("\n")
    .replace(/^failures:\n+failures:\n {4}\S+$/m, "");
  return trimLines(text.replaceAll(/\n{3,}/g, "\n\n").split("\n"));
}

function nameOf(text: string): string {
  return text.trim().replaceAll(/ +/g, " ");
}
