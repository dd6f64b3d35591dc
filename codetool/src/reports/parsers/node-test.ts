import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";
import { withoutLibraryFrames } from "../stack-frame.ts";
import { parseTap } from "./tap.ts";

/** Output of `node --test`: the reporters spec and tap, and dot as far as it tells. */
export const parseNodeTest: ParseOutput = ({ combined }) => {
  const tap = parseTap(combined);
  if (tap !== undefined) return tap;
  const of = (word: string): number | undefined => {
    const count = new RegExp(`^ℹ ${word} (\\d+)$`, "m").exec(combined)?.[1];
    return count === undefined ? undefined : Number(count);
  };
  const failures = blocksOf(combined.split("\n"));
  const missing = /^Could not find '(.+)'$/m.exec(combined);
  if (missing !== null)
    return makeReport({
      summary: "no tests found",
      failed: 1,
      failures: [{ name: "node --test", location: null, message: missing[0] }],
    });
  const passed = of("pass");
  if (passed === undefined && failures.length === 0) return undefined;
  const failed =
    passed === undefined ? failures.length : (of("fail") ?? 0) + (of("cancelled") ?? 0);
  const skipped = (of("skipped") ?? 0) + (of("todo") ?? 0);
  const text = countsText([
    [passed ?? 0, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  const summary = text === "" ? "no tests ran" : text;
  return makeReport({ summary, passed: passed ?? 0, failed, skipped, failures });
};

/** Under `failing tests:` a place, the test's name behind a cross, and what happened. */
function blocksOf(lines: readonly string[]): Finding[] {
  const start = lines.findIndex((line) => /^(?:✖ failing tests:|Failed tests:)$/.test(line));
  if (start === -1) return [];
  const blocks: {
    readonly name: string;
    readonly place: string | null;
    readonly lines: string[];
  }[] = [];
  let place: string | null = null;
  for (const line of lines.slice(start + 1)) {
    const at = /^test at (.+:\d+:\d+)$/.exec(line)?.[1];
    const name = /^✖ (.+?)(?: \([\d.]+ms\))?$/.exec(line)?.[1];
    if (at !== undefined) place = at;
    else if (name !== undefined) {
      blocks.push({ name, place, lines: [] });
      place = null;
    } else blocks.at(-1)?.lines.push(line.replace(/^ {2}/, ""));
  }
  return blocks.map((block) => ({
    name: block.name,
    location: block.place,
    message: withoutLibraryFrames(trimLines(block.lines)),
  }));
}
