import { trimLines } from "../trim-lines.ts";
import {
  countsText,
  type Finding,
  makeReport,
  type ParseOutput,
  placeOf,
  type Report,
} from "../report.ts";

const header = /^(=+) (.+?) \1=?$/;
const closing = /^=* ?((?:\d+ [a-z]+|no tests ran).*?) in [\d.]+s(?: \([\d:, a-z]+\))? ?=*$/;

/** Output of pytest, with and without `-q`, in every style of traceback. */
export const parsePytest: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const sections = splitSections(lines);
  const counts = countsOf(lines);
  const listed = listedOf(sections.get("short test summary info") ?? lines);
  const failures = [
    ...blocksOf(sections.get("ERRORS") ?? [], "ERROR", listed),
    ...blocksOf(sections.get("FAILURES") ?? [], "FAILED", listed),
    ...listed.filter(({ isTaken }) => !isTaken).map(({ finding }) => finding),
    ...refusalsOf(lines),
  ];
  if (counts === undefined && failures.length === 0) return undefined;
  const warnings = warningsOf(sections.get("warnings summary") ?? []);
  return pytestReport(counts ?? {}, { failures, warnings, isInterrupted: isInterrupted(lines) });
};

interface PytestCounts {
  readonly [name: string]: number;
}

function pytestReport(
  counts: PytestCounts,
  parts: {
    readonly failures: readonly Finding[];
    readonly warnings: readonly Finding[];
    readonly isInterrupted: boolean;
  },
): Report {
  const of = (...names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const known = Object.keys(counts).length > 0;
  const passed = of("passed", "xpassed");
  const failed = known ? of("failed", "error", "errors") : parts.failures.length;
  const skipped = of("skipped", "xfailed");
  const text = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  const ending = parts.isInterrupted ? ", interrupted" : "";
  return makeReport({
    summary: `${text === "" ? "no tests ran" : text}${ending}`,
    passed,
    failed,
    skipped,
    failures: parts.failures,
    warnings: parts.warnings,
  });
}

/** The lines under each `=== title ===`; of titles that come twice, all. */
function splitSections(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of lines) {
    const title = header.exec(line)?.[2];
    if (title === undefined) current.push(line);
    else {
      current = sections.get(title.replace(/ \(.*\)$/, "")) ?? [];
      sections.set(title.replace(/ \(.*\)$/, ""), current);
    }
  }
  return sections;
}

function countsOf(lines: readonly string[]): PytestCounts | undefined {
  const text = lines
    .map((line) => closing.exec(line)?.[1])
    .findLast((found) => found !== undefined);
  if (text === undefined) return undefined;
  const counts: { [name: string]: number } = {};
  for (const [, count, name = ""] of text.matchAll(/(\d+) ([a-z]+)/g)) counts[name] = Number(count);
  return Object.keys(counts).length === 0 ? { passed: 0 } : counts;
}

interface Listed {
  readonly kind: string;
  /** As the heading of its block has it. */
  readonly title: string;
  readonly finding: Finding;
  isTaken: boolean;
}

/** `FAILED path::Class::name - reason` of the short summary. */
function listedOf(lines: readonly string[]): Listed[] {
  return lines.flatMap((line) => {
    const match = /^(FAILED|ERROR) (?!collecting )(\S+\.py(?:::.*?)?)(?: - (.*))?$/.exec(line);
    if (match === null) return [];
    const [, kind = "", name = "", reason = ""] = match;
    const [file = "", ...path] = name.split("::");
    const finding = { name, location: file, message: reason };
    return [{ kind, title: path.join("."), finding, isTaken: false }];
  });
}

/** The blocks under `____ title ____`. */
function blocksOf(lines: readonly string[], kind: string, listed: readonly Listed[]): Finding[] {
  const blocks: { readonly title: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const title = /^_{3,} (.+?) _{3,}$/.exec(line)?.[1];
    if (title !== undefined) blocks.push({ title, lines: [] });
    else blocks.at(-1)?.lines.push(line);
  }
  if (blocks.length === 0) return linesOnly(lines, kind, listed);
  return blocks.map(({ title, lines: body }) => {
    const wanted = title.replace(/^ERROR at (?:setup|teardown) of /, "");
    const file = /^ERROR collecting (.+)$/.exec(title)?.[1];
    const match = listed.find(
      (each) =>
        !each.isTaken &&
        each.kind === kind &&
        (file === undefined ? each.title === wanted : each.finding.name === file),
    );
    if (match !== undefined) match.isTaken = true;
    const name = match?.finding.name ?? file ?? wanted;
    const message = trimLines(body);
    return {
      name,
      location:
        locationIn(body, match?.finding.location ?? file) ??
        match?.finding.location ??
        file ??
        null,
      message: message === "" ? (match?.finding.message ?? "") : message,
    };
  });
}

/** `--tb=line`: a place and a reason a line, in the order of the summary. */
function linesOnly(lines: readonly string[], kind: string, listed: readonly Listed[]): Finding[] {
  const own = listed.filter((each) => each.kind === kind);
  return lines.flatMap((line) => {
    const match = /^(\S.*?):(\d+): (.+)$/.exec(line);
    const next = own.find(({ isTaken }) => !isTaken);
    if (match === null || next === undefined) return [];
    next.isTaken = true;
    const [, file = "", at, message = ""] = match;
    return [{ name: next.finding.name, location: placeOf(file, at), message }];
  });
}

/** Where it failed: the last place in the test's own file, else the last one. */
function locationIn(lines: readonly string[], file: string | undefined | null): string | undefined {
  const places = lines.flatMap((line) => {
    const match =
      /^E? {0,3}(\S[^:]*\.\w+):(\d+):(?: |$)/.exec(line) ??
      /^\s*(?:E +)?File "([^"]+)", line (\d+)/.exec(line);
    return match === null ? [] : [{ file: match[1] ?? "", line: match[2] ?? "" }];
  });
  const isOwn = (path: string): boolean =>
    file !== undefined && file !== null && (path === file || path.endsWith(`/${file}`));
  const place = places.findLast((each) => isOwn(each.file)) ?? places.at(-1);
  return place === undefined
    ? undefined
    : placeOf(isOwn(place.file) ? (file ?? "") : place.file, place.line);
}

/** What stops pytest before it runs: wrong usage, a broken conftest, its own defect. */
function refusalsOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  const internal = lines.filter((line) => line.startsWith("INTERNALERROR>"));
  if (internal.length > 0)
    found.push({
      name: "INTERNALERROR",
      location: null,
      message: internal.map((line) => line.slice("INTERNALERROR> ".length)).join("\n"),
    });
  for (const [index, line] of lines.entries()) {
    const match = /^(?:ERROR: |(?:__main__\.py|pytest|py\.test): error: )(.+)$/.exec(line);
    const isConftest = /^ImportError while loading conftest '(.+)'\.$/.exec(line);
    if (isConftest !== null)
      found.push({
        name: "conftest",
        location: isConftest[1] ?? null,
        message: lines.slice(index).join("\n").trim(),
      });
    else if (match !== null && match[1]?.startsWith("usage: ") !== true)
      found.push({ name: "usage", location: null, message: match[1] ?? "" });
  }
  return found;
}

function warningsOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  for (const line of lines) {
    const match = /^ {2}(\S.*?):(\d+): (\w*Warning\w*): (.*)$/.exec(line);
    if (match === null) continue;
    const [, file = "", place = "", name = "", message = ""] = match;
    found.push({ name, location: placeOf(file, place), message });
  }
  return found;
}

function isInterrupted(lines: readonly string[]): boolean {
  return lines.some((line) => /^!+ (?:KeyboardInterrupt|.*Interrupted.*|.*Exit.*) !+$/.test(line));
}
