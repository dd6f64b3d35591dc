import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";
import { rustProblems } from "./rustc.ts";

/** Output of `cargo test`, of all its binaries together, and of only libtest. */
export const parseCargoTest: ParseOutput = ({ combined }) => {
  const results = [
    ...combined.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm),
  ];
  const cut = cutOff(combined);
  const lines = combined.split("\n");
  const problems = rustProblems(lines).filter(({ name }) => name !== "warning");
  const warnings = problems.filter(({ isError }) => !isError).map(withoutLevel);
  const sum = (group: number): number =>
    results.reduce((total, match) => total + Number(match[group]), 0);
  const [passed, ignored] = [sum(1) + cut.passed, sum(3) + cut.ignored];
  const tests = [...blocksOf(lines), ...crashesOf(lines)];
  const errors = problems.filter(({ isError }) => isError).map(withoutLevel);
  const unexplained = listedOf(lines).filter((name) => !tests.some((test) => test.name === name));
  const failures = [
    ...errors,
    ...tests,
    ...unexplained.map((name) => ({ name, location: null, message: "test failed" })),
  ];
  if (results.length === 0 && failures.length === 0 && !cut.isCut) return undefined;
  const failed = sum(2) + cut.failed + errors.length + crashesOf(lines).length;
  const text = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [ignored, "ignored"],
  ]);
  const summary = `${text === "" ? "no tests ran" : text}${cut.isCut ? ", not all ran" : ""}`;
  return makeReport({ summary, passed, failed, skipped: ignored, failures, warnings });
};

function withoutLevel({ name, location, message }: Finding): Finding {
  return { name, location, message };
}

/** `---- name stdout ----` and what follows. */
function blocksOf(lines: readonly string[]): Finding[] {
  const blocks: { readonly name: string; readonly lines: string[] }[] = [];
  let isInside = false;
  for (const line of lines) {
    const name = /^---- (.+?) (?:stdout|stderr) ----$/.exec(line)?.[1];
    if (name !== undefined) {
      blocks.push({ name, lines: [] });
      isInside = true;
    } else if (/^(?:failures:|successes:|test result: )/.test(line)) isInside = false;
    else if (isInside) blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ name, lines: body }) => {
    const message = trimLines(body);
    return { name, location: placeOfPanic(message) ?? placeOfDocTest(name), message };
  });
}

/** The place of a panic, as Rust prints it since 1.73 and as before. */
export function placeOfPanic(message: string): string | null {
  const place =
    /panicked at (\S+:\d+:\d+):?$/m.exec(message) ??
    /panicked at '[\s\S]*?', (\S+:\d+:\d+)$/m.exec(message) ??
    /did not panic as expected at (\S+:\d+:\d+)$/m.exec(message) ??
    /^ *--> (\S+:\d+:\d+)$/m.exec(message);
  return place?.[1] ?? null;
}

function placeOfDocTest(name: string): string | null {
  const match = /^(\S+\.\w+) - .*\(line (\d+)\)/.exec(name);
  return match === null ? null : `${match[1] ?? ""}:${match[2] ?? ""}`;
}

/** Names under the second `failures:`, where nothing was captured of a test. */
function listedOf(lines: readonly string[]): string[] {
  const names: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line !== "failures:") continue;
    for (let at = index + 1; /^ {4}\S/.test(lines[at] ?? ""); at += 1)
      names.push((lines[at] ?? "").trim());
  }
  return names;
}

/** A binary that a signal ended tells no result. */
function crashesOf(lines: readonly string[]): Finding[] {
  return lines.flatMap((line) => {
    const match =
      /^ *(?:process didn't exit successfully: `(.+?)`.* \((signal: .+|exit status: \d{2,}.*|exit code: 0x.+)\))$/.exec(
        line,
      );
    if (match === null || /exit status: 101\b/.test(match[2] ?? "")) return [];
    return [{ name: match[1] ?? "", location: null, message: line.trim() }];
  });
}

/** What is known of binaries that were ended before they told their result. */
function cutOff(text: string): {
  readonly isCut: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
} {
  const parts = text.split(/^running \d+ tests?$/m).slice(1);
  const cut = parts.filter((part) => !/^test result: /m.test(part));
  const of = (word: string): number =>
    cut.reduce(
      (sum, part) =>
        sum + [...part.matchAll(new RegExp(`^test .+ \\.\\.\\. ${word}`, "gm"))].length,
      0,
    );
  return { isCut: cut.length > 0, passed: of("ok"), failed: of("FAILED"), ignored: of("ignored") };
}
