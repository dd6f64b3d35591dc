import { trimLines } from "../trim-lines.ts";

/** Frames of the machine, of the test frameworks and of the builders: they say nothing about what failed. */
const foreign =
  /^\s*at (?:[\w.@-]*\/)?(?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy|org\.(?:junit|opentest4j|hamcrest|assertj|testng|mockito|apache\.maven|gradle|codehaus\.groovy)|worker\.org\.gradle|junit)[.$]/;

/** Takes a stack trace's foreign frames out; of a trace that has no others, nothing. */
export function ownTrace(lines: readonly string[]): string {
  const own = lines.filter(
    (line) => !foreign.test(line) && !/^\s*\.\.\. \d+ (?:more|common)/.test(line),
  );
  return trimLines(own.some((line) => /^\s*at /.test(line)) ? own : lines);
}

/**
 * Finds where a test failed: the first frame in its class, else the first own frame, as `PriceTest.java:28`.
 *
 * @param testName The test's full name, as `shop.PriceTest.divides`.
 */
export function placeInTrace(trace: string, testName: string): string | null {
  const frames = [...trace.matchAll(/^\s*at (?:[\w.@-]*\/)?([\w.$<>]+)\((\w+\.\w+:\d+)\)/gm)];
  const cause = frames.find(([, method = ""]) =>
    testName.startsWith(method.replace(/\.[^.]*$/, "")),
  );
  const place = cause ?? frames.find(([line]) => !foreign.test(line));
  return place?.[2] ?? null;
}
