import { trimLines } from "../trim-lines.ts";
import { type Finding, makeReport, type ParseOutput } from "../report.ts";
import { findingsOfSuites, findSuites } from "./jest-json.ts";
import { suitesReport } from "./jest.ts";

/** Output of Vitest: its JSON, else what its reporters print at the end. */
export const parseVitest: ParseOutput = ({ stdout, combined }) => {
  const suites = findSuites(stdout);
  if (suites !== undefined) return suitesReport(suites.counts, findingsOfSuites(suites.results));
  const tests = /^ +Tests +(.*\(\d+\))$/m.exec(combined)?.[1];
  const files = /^ +Test Files +(.*\(\d+\))$/m.exec(combined)?.[1];
  const failures = blocksOf(combined.split("\n"));
  if (tests === undefined && files === undefined) {
    const refusal = /^(?:⎯+ (?:Startup|Unhandled) Error|No test files found)[\s\S]*/m.exec(
      combined,
    );
    if (refusal === null) return undefined;
    const isEmpty = refusal[0].startsWith("No test");
    const finding = {
      name: "vitest",
      location: null,
      message: refusal[0].replace(/^⎯.*\n/, "").trim(),
    };
    return makeReport({
      summary: isEmpty ? "no tests found" : "vitest could not run",
      failed: 1,
      failures: [finding],
    });
  }
  const of = (word: string): number =>
    Number(new RegExp(`(\\d+) ${word}\\b`).exec(tests ?? "")?.[1] ?? 0);
  const counts = {
    passed: of("passed"),
    failed: of("failed"),
    skipped: of("skipped") + of("todo"),
    brokenFiles: Number(/^⎯+ ?Failed Suites (\d+)/m.exec(combined)?.[1] ?? 0),
  };
  return suitesReport(counts, failures);
};

/** ` FAIL  file > suite > test` and what follows to the next one; names may share what follows. */
function blocksOf(lines: readonly string[]): Finding[] {
  const blocks: { readonly names: string[]; readonly lines: string[] }[] = [];
  let isInside = false;
  for (const line of lines) {
    const name = /^ FAIL {1,2}(.+)$/.exec(line)?.[1];
    const last = blocks.at(-1);
    if (name !== undefined) {
      if (isInside && last?.lines.length === 0) last.names.push(name);
      else blocks.push({ names: [name], lines: [] });
      isInside = true;
    } else if (/^⎯{4,}|^ Test Files /.test(line)) isInside = false;
    else if (isInside) last?.lines.push(line);
  }
  return blocks.flatMap(({ names, lines: body }) => {
    const message = trimLines(body);
    const place = /^ ❯ (?:.* )?([^\s]+:\d+:\d+)$/m.exec(message)?.[1];
    return names.map((name) => {
      const [file = "", ...titles] = name
        .replace(/ \[ .+ \]$/, "")
        .replace(/^\|[^|]+\| /, "")
        .split(" > ");
      return {
        name: titles.length === 0 ? file : titles.join(" › "),
        location: place ?? file,
        message,
      };
    });
  });
}
