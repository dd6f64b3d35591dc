import { trimLines } from "../trim-lines.ts";
import {
  countsText,
  type Finding,
  makeReport,
  type ParseOutput,
  placeOf,
  plural,
} from "../report.ts";
import { ownTrace, placeInTrace } from "./java-trace.ts";

/** Output of Maven, with the tests of Surefire and Failsafe summed over the modules. */
export const parseMvn: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n").map((line) => line.replace(/^\[INFO\] ?/, ""));
  const tests = countsOf(lines);
  const result = /^BUILD (SUCCESS|FAILURE)$/m.exec(lines.join("\n"))?.[1];
  const broken = testsOf(lines);
  const compilation = compilationOf(lines);
  const listed = broken.length > 0 ? [] : listedOf(lines);
  const isExplained = [broken, listed, compilation.errors].some(({ length }) => length > 0);
  const ends = goalsOf(lines);
  const goals = ends.filter(({ message }) => !(isExplained && isRepeating(message)));
  if (tests === undefined && result === undefined && goals.length === 0 && !isExplained)
    return undefined;
  const { run = 0, failed = 0, skipped = 0 } = tests ?? {};
  const passed = run - failed - skipped;
  const others = [...compilation.errors, ...goals];
  // With `-q` it ends without that line.
  const ending = result ?? (ends.length > 0 ? "FAILURE" : undefined);
  const parts = [
    ending === undefined ? "interrupted" : `BUILD ${ending}`,
    countsText([
      [passed, "passed"],
      [failed, "failed"],
      [skipped, "skipped"],
    ]),
    others.length === 0 ? "" : plural(others.length, "error"),
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join("; "),
    passed,
    failed: failed + others.length,
    skipped,
    failures: [...broken, ...listed, ...others],
    warnings: [...compilation.warnings, ...warningsOf(lines)],
  });
};

interface MavenCounts {
  readonly run: number;
  readonly failed: number;
  readonly skipped: number;
}

const counted =
  /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(.*)$/;

/** The totals of the modules, summed; of one that has none yet, its classes. */
function countsOf(lines: readonly string[]): MavenCounts | undefined {
  const sum = { run: 0, failed: 0, skipped: 0 };
  let pending: MavenCounts[] = [];
  let isAny = false;
  const add = ({ run, failed, skipped }: MavenCounts): void => {
    sum.run += run;
    sum.failed += failed;
    sum.skipped += skipped;
  };
  for (const line of lines) {
    const match = counted.exec(line);
    if (match === null) continue;
    isAny = true;
    const [run = 0, failures = 0, errors = 0, skipped = 0] = match.slice(1, 5).map(Number);
    const counts = { run, failed: failures + errors, skipped };
    if (/Time elapsed/.test(match[5] ?? "")) pending.push(counts);
    else {
      add(counts);
      pending = [];
    }
  }
  for (const counts of pending) add(counts);
  return isAny ? sum : undefined;
}

/** `shop.PriceTest.divides -- Time elapsed: 0.015 s <<< ERROR!`, in Surefire 2 `divides(shop.PriceTest)  Time …`. */
function testsOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  let module: string | undefined;
  for (const [index, line] of lines.entries()) {
    module = moduleIn(line) ?? module;
    const match =
      /^(?:\[\w+\] )?(?!Tests run: )(\S.*?)(?: --)? +Time elapsed: [\d.,]+ s(?:ec)? +<<< (?:ERROR|FAILURE)!$/.exec(
        line,
      );
    if (match === null) continue;
    const old = /^(.+)\(([\w.$]+)\)$/.exec(match[1] ?? "");
    const isOld = old !== null && /[.$]/.test(old[2] ?? "");
    const name = isOld ? `${old[2] ?? ""}.${old[1] ?? ""}` : (match[1] ?? "");
    const body = blockOf(lines, index + 1);
    const message = ownTrace(body) || line;
    const location = placeInTrace(body.join("\n"), name);
    found.push({ name, location, message, ...(module === undefined ? {} : { origin: module }) });
  }
  return found;
}

/** The artifact whose turn it is from this line on: `--- surefire:3.2.5:test (default-test) @ shop-core ---`. */
function moduleIn(line: string): string | undefined {
  return /^--- .* @ (\S+) ---$/.exec(line)?.[1] ?? /^-+< \S+?:(\S+) >-+$/.exec(line)?.[1];
}

/** Up to the next line of Maven's own, or a blank one after a frame. */
function blockOf(lines: readonly string[], start: number): readonly string[] {
  let end = start;
  let isTraced = false;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (/^\[(?:ERROR|WARNING)\]|^(?:Running|Results ?:|Tests run:)/.test(line)) break;
    if (line === "" && isTraced) break;
    if (/^\s+at /.test(line)) isTraced = true;
  }
  return lines.slice(start, end);
}

/** The list after `Results:`, where no trace was printed: `  PriceTest.divides:28 » Arithmetic / by zero`. */
function listedOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  let isInside = false;
  let module: string | undefined;
  for (const line of lines) {
    module = moduleIn(line) ?? module;
    const text = line.replace(/^\[ERROR\] /, "");
    if (/^(?:Failures|Errors|Failed tests|Tests in error): *$/.test(text)) isInside = true;
    else if (!isInside) continue;
    else if (text.trim() === "" || /^(?:\[|Tests run:)/.test(text)) isInside = false;
    else {
      const [, name = "", at, message = ""] =
        /^ {2}(\S+?)(?::(\d+))?(?:->\S+)? (.*)$/.exec(text) ?? [];
      if (name === "") continue;
      const file = /^(?:.*\.)?(\w+)(?:\$\w+)*\.[^.]+$/.exec(name)?.[1];
      const location = file === undefined || at === undefined ? null : `${file}.java:${at}`;
      const origin = module === undefined ? {} : { origin: module };
      found.push({ name, location, message, ...origin });
    }
  }
  return found;
}

interface Compilation {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** `/path/Broken.java:[4,17] incompatible types`, told twice; Kotlin's `/path/A.kt: (3, 5) text`. */
function compilationOf(lines: readonly string[]): Compilation {
  const found = { errors: [] as Finding[], warnings: [] as Finding[] };
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const match =
      /^\[(ERROR|WARNING)\] (?:file:\/\/)?(\S.*?\.\w+):(?: \((\d+), (\d+)\)|\[(\d+)(?:,(\d+))?\]) (.+)$/.exec(
        line,
      );
    if (match === null) continue;
    const [, severity, file = "", at, column, otherAt, otherColumn, text = ""] = match;
    const location = placeOf(file, at ?? otherAt, column ?? otherColumn);
    if (seen.has(`${location} ${text}`)) continue;
    seen.add(`${location} ${text}`);
    const following = lines.slice(index + 1);
    const end = following.findIndex((each) => !/^(?:\[ERROR\])? {2}\S/.test(each));
    const detail = following
      .slice(0, Math.max(end, 0))
      .map((each) => each.replace(/^\[ERROR\]/, "").trim());
    const message = [text, ...detail].join("\n");
    if (severity === "ERROR") found.errors.push({ name: "compilation", location, message });
    else found.warnings.push({ name: "compilation", location, message });
  }
  return found;
}

/** The errors that end a build: `Failed to execute goal …`, and those before any goal ran. */
function goalsOf(lines: readonly string[]): Finding[] {
  const start = lines.lastIndexOf("BUILD FAILURE");
  const found: { readonly lines: string[] }[] = [];
  for (const line of lines.slice(start + 1)) {
    const text = /^\[(?:ERROR|FATAL)\] ?(.*)$/
      .exec(line)?.[1]
      ?.replace(/^\[(?:ERROR|FATAL)\] /, "");
    if (text === undefined) continue;
    if (/^(?:To see the full stack trace|Re-run Maven using|\[Help \d\])/.test(text)) break;
    const isNew = /^(?:Failed to execute goal|Non-|The |Unknown |Malformed )/.test(text);
    if (start === -1 && found.length === 0 && !isNew && !/-> \[Help/.test(text)) continue;
    if (isNew || found.length === 0) found.push({ lines: [] });
    found.at(-1)?.lines.push(text.replace(/ *-> \[Help \d+\]$/, ""));
  }
  return found.flatMap((each) => {
    const message = trimLines(each.lines);
    const name = /^Failed to execute goal (\S+)/.exec(message)?.[1] ?? "mvn";
    const [, at, column] = /@ line (\d+), column (\d+)/.exec(message) ?? [];
    const file =
      /(\/\S+?pom\.xml)/.exec(message)?.[1] ?? (at === undefined ? undefined : "pom.xml");
    const location = file === undefined ? null : placeOf(file, at, column);
    return message === "" ? [] : [{ name, location, message }];
  });
}

/** What only says that the tests or the compilation failed, which is said above it. */
function isRepeating(message: string): boolean {
  return /Compilation failure|There (?:are|were) test failures|surefire-reports|failsafe-reports|COMPILATION ERROR/.test(
    message,
  );
}

/** Warnings of Maven itself; lines that follow each other are one. */
function warningsOf(lines: readonly string[]): Finding[] {
  const groups: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const text = /^\[WARNING\] ?(.*)$/.exec(line)?.[1];
    const isOwn =
      text !== undefined && !counted.test(text) && !/\.\w+:(?:\[\d+| \(\d+, )/.test(text);
    if (!isOwn || text.trim() === "") isOpen = false;
    else if (isOpen) groups.at(-1)?.push(text);
    else {
      groups.push([text]);
      isOpen = true;
    }
  }
  return groups.map((group) => ({ name: "mvn", location: null, message: trimLines(group) }));
}
