import { trimLines } from "../trim-lines.ts";
import {
  countsText,
  type Finding,
  makeReport,
  type ParseOutput,
  placeOf,
  plural,
} from "../report.ts";

/** Output of `dotnet build`, `test` and what is built by MSBuild: diagnostics once each, tests summed over assemblies. */
export const parseDotnet: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const diagnostics = diagnosticsOf(lines);
  const counts = countsOf(combined);
  const tests = testsOf(lines);
  const result =
    /^Build (?:succeeded|FAILED)/m.exec(combined)?.[0] ??
    /^\s*Build (?:succeeded|failed)(?: with .+)? in /m
      .exec(combined)?.[0]
      ?.trim()
      .replace(/ in$/, "");
  const of = (isError: boolean): Finding[] =>
    diagnostics.filter((each) => each.isError === isError).map(({ finding }) => finding);
  const [errors, warnings] = [of(true), of(false)];
  if (
    counts === undefined &&
    tests.length === 0 &&
    diagnostics.length === 0 &&
    result === undefined
  )
    return undefined;
  const failed = counts?.failed ?? tests.length;
  const passed = counts?.passed ?? 0;
  const skipped = counts?.skipped ?? 0;
  const parts = [
    countsText([
      [passed, "passed"],
      [failed, "failed"],
      [skipped, "skipped"],
    ]),
    result ?? "",
    errors.length === 0 ? "" : plural(errors.length, "error"),
    warnings.length === 0 ? "" : plural(warnings.length, "warning"),
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join("; ") || "no tests ran",
    passed,
    failed: failed + errors.length,
    skipped,
    failures: [...tests, ...errors],
    warnings,
  });
};

interface Diagnostic {
  readonly isError: boolean;
  readonly finding: Finding;
}

/** `Price.cs(5,17): error CS0029: text [Shop.csproj]`; MSBuild tells each twice. */
function diagnosticsOf(lines: readonly string[]): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const line of lines) {
    const match =
      /^\s*(?:(\S.*?)(?:\((\d+)(?:,(\d+))?(?:,\d+,\d+)?\))? ?: )?(?:\w+ )?(error|warning)(?: ([A-Z]+\d+|TESTERROR))?: (.*?)(?: \[[^\]]+\.\w+proj(?:::.*)?\])?$/.exec(
        line,
      );
    if (match === null) continue;
    const [, file, at, column, severity, code, message = ""] = match;
    // The output of a test is reported with the test.
    if (code === "TESTERROR" || (code === undefined && at === undefined)) continue;
    const isPlaced = file !== undefined && /[./\\]/.test(file);
    const location = isPlaced ? placeOf(file, at, column) : null;
    const finding = { name: code ?? "error", location, message: message || line.trim() };
    const key = `${location ?? ""} ${code ?? ""} ${message}`;
    if (!found.has(key)) found.set(key, { isError: severity === "error", finding });
  }
  return [...found.values()];
}

interface DotnetCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A line an assembly, or a block of totals, as VSTest and the testing platform print them. */
function countsOf(combined: string): DotnetCounts | undefined {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const short = [
    ...combined.matchAll(
      /^(?:Passed|Failed|Skipped)! +- Failed: +(\d+), Passed: +(\d+), Skipped: +(\d+), Total: +\d+/gm,
    ),
  ];
  for (const [, failed, passed, skipped] of short) {
    sum.failed += Number(failed);
    sum.passed += Number(passed);
    sum.skipped += Number(skipped);
  }
  if (short.length > 0) return sum;
  const blocks = [...combined.matchAll(/^Total tests: \d+\n((?: +\w+: \d+\n?)+)/gm)].map(
    ([, text = ""]) => text,
  );
  const summary =
    /^Test summary: (total: .+)$/m.exec(combined)?.[1] ??
    /^Test run summary: .+\n((?: +\w+: .+\n?)+)/m.exec(combined)?.[1];
  const texts = blocks.length > 0 || summary === undefined ? blocks : [summary];
  for (const text of texts)
    for (const [, name = "", value] of text.matchAll(/(\w+): (\d+)/g)) {
      if (/^(?:Passed|succeeded)$/.test(name)) sum.passed += Number(value);
      else if (/^failed$/i.test(name)) sum.failed += Number(value);
      else if (/^skipped$/i.test(name)) sum.skipped += Number(value);
    }
  return texts.length > 0 ? sum : undefined;
}

/** `  Failed Shop.PriceTests.Sums [3 ms]`, its message and its trace, up to the next test. */
function testsOf(lines: readonly string[]): Finding[] {
  const found: Finding[] = [];
  for (const [index, line] of lines.entries()) {
    const logged = loggedTest(lines, index);
    if (logged !== undefined) found.push(logged);
    const name =
      /^ {0,2}Failed (\S.*?) \[[^\]]*\]$/.exec(line)?.[1] ??
      /^failed (\S.*?) \([\dmsh. ]+\)$/.exec(line)?.[1];
    if (name === undefined) continue;
    const following = lines.slice(index + 1);
    const end = following.findIndex((each) =>
      /^ {0,2}(?:Passed|Failed|Skipped)(?:!| \S)|^(?:passed|failed|skipped) \S|^Test (?:Run|run|summary)|^Total tests: |^\[xUnit\.net /.test(
        each,
      ),
    );
    const body = trimLines(following.slice(0, end === -1 ? undefined : end));
    const message = body
      .split("\n")
      .filter((each) => !/^ *(?:Error Message|Stack Trace):$/.test(each))
      .filter((each) => !/^ +at (?:System|Xunit|NUnit|Microsoft)\./.test(each))
      .join("\n")
      .replace(/^ +/, "")
      .trimEnd();
    const place = / in (\S.*):line (\d+)/.exec(body);
    const location = place === null ? null : placeOf(place[1] ?? "", place[2]);
    found.push({ name, location, message: message || line.trim() });
  }
  return found;
}

/** The terminal logger's: `PriceTests.cs(12): error TESTERROR:`, and in deeper lines the name, its message, its trace. */
function loggedTest(lines: readonly string[], index: number): Finding | undefined {
  const head = /^\s*(\S.*?)\((\d+)(?:,\d+)?\): error TESTERROR: *(.*)$/.exec(lines[index] ?? "");
  if (head === null) return undefined;
  const [, file = "", at, text = ""] = head;
  const following = lines.slice(index + 1);
  const end = following.findIndex((each) => !/^ {6}/.test(each));
  const body = following.slice(0, end === -1 ? undefined : end).map((each) => each.slice(6));
  const said = trimLines([text, ...body]);
  const [, name = "test", message = said] =
    /^(\S.*?) \([\d.]+\w+\): (?:Error Message: )?([\s\S]*)$/.exec(said) ?? [];
  return { name, location: placeOf(file, at), message: message.replace(/^Stack Trace:\n/m, "") };
}
