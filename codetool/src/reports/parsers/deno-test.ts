import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";
import { parseTap } from "./tap.ts";

/** Output of `deno test`: its own reporter, and tap. */
export const parseDenoTest: ParseOutput = ({ combined }) => {
  const tap = parseTap(combined);
  if (tap !== undefined) return tap;
  const total = /^(?:ok|FAILED) \| (\d+) passed(.*)$/m.exec(combined);
  const failures = [...blocksOf(combined.split("\n")), ...typeErrorsOf(combined)];
  if (total === null && failures.length === 0) return undefined;
  const rest = total?.[2] ?? "";
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}`).exec(rest)?.[1] ?? 0);
  const passed = Number(total?.[1] ?? 0);
  const failed = total === null ? failures.length : of("failed");
  const skipped = of("ignored");
  const summary = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  return makeReport({
    summary: summary === "" ? "no tests ran" : summary,
    passed,
    failed,
    skipped,
    failures,
  });
};

/** Under ` ERRORS ` a name with its place, and what happened. */
function blocksOf(lines: readonly string[]): Finding[] {
  const start = lines.findIndex((line) => line.trim() === "ERRORS");
  if (start === -1) return [];
  const blocks: { readonly name: string; readonly place: string; readonly lines: string[] }[] = [];
  for (const line of lines.slice(start + 1)) {
    const heading = /^(.+) => (\S+:\d+:\d+|\S+)$/.exec(line);
    if (line.trim() === "FAILURES") break;
    if (heading !== null)
      blocks.push({ name: heading[1] ?? "", place: pathOf(heading[2] ?? ""), lines: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ name, place, lines: body }) => {
    const message = trimLines(body);
    return { name: name.replaceAll(" ... ", " › "), location: place, message };
  });
}

/** `TS2322 [ERROR]: text`, some lines of code, `at file:///x.ts:1:7`; and modules that are not there. */
function typeErrorsOf(text: string): Finding[] {
  const typed = [...text.matchAll(/^(TS\d+) \[ERROR\]: ([\s\S]*?)\n {4}at (\S+)$/gm)].map(
    ([, name = "", message = "", place = ""]) => ({ name, location: pathOf(place), message }),
  );
  const modules = [
    ...text.matchAll(/^error: ((?:Module not found|Uncaught)[\s\S]*?)(?:\n {4}at (\S+))?$/gm),
  ].map(([, message = "", place]) => ({
    name: "error",
    location: place === undefined ? null : pathOf(place),
    message,
  }));
  return [...typed, ...modules];
}

function pathOf(place: string): string {
  return place.replace(/^file:\/\//, "").replace(/^\.\//, "");
}
