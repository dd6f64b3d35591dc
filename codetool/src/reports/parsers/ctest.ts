import { trimLines } from "../trim-lines.ts";
import { countsText, type Finding, makeReport, type ParseOutput } from "../report.ts";

interface CtestResult {
  readonly number: string;
  readonly name: string;
  /** As ctest words it: `Passed`, `***Failed`, `***Exception: SegFault`. */
  readonly state: string;
  readonly lines: string[];
}

/** Output of ctest, with and without the tests' own. */
export const parseCtest: ParseOutput = ({ combined }) => {
  const lines = combined.split("\n");
  const results = resultsOf(lines);
  const listed = listedOf(lines);
  const total = /^(\d+)% tests passed, (\d+) tests? failed out of (\d+)$/m.exec(combined);
  const refusal =
    /^(?:CMake Error: |Failed to change working directory|\*+No test configuration file found!|ctest: ).*/m.exec(
      combined,
    );
  const isEmpty = /^No tests were found!!!$/m.test(combined);
  const isStarted = /^ *Start +\d+: /m.test(combined);
  if (results.length === 0 && total === null && refusal === null && !isEmpty && !isStarted)
    return undefined;
  const isSkipped = ({ state }: CtestResult): boolean => /Skipped|\(Disabled\)/.test(state);
  const isPassed = ({ state }: CtestResult): boolean => state === "Passed";
  const skipped = listed.skipped.length || results.filter(isSkipped).length;
  const failedResults = results.filter((each) => !isPassed(each) && !isSkipped(each));
  const counted = total === null ? failedResults.length : Number(total[2]);
  const failed = counted + (refusal === null ? 0 : 1);
  // `-Q` prints no line a test; its total counts what was skipped, but not what is disabled.
  const disabled = listed.skipped.filter((state) => state === "Disabled").length;
  const passed =
    results.length > 0 || total === null
      ? results.filter(isPassed).length
      : Number(total[3]) - counted - (skipped - disabled);
  const failures =
    failedResults.length > 0
      ? failedResults.map((result) => findingOf(result, listed.failed))
      : [...listed.failed.values()].map(({ name, state }) => findingOf({ name, state }));
  if (refusal !== null) failures.push({ name: "ctest", location: null, message: refusal[0] });
  const counts = countsText([
    [passed, "passed"],
    [failed, "failed"],
    [skipped, "skipped"],
  ]);
  const isWhole = total !== null || isEmpty || refusal !== null;
  const ending = isWhole ? "" : ", interrupted";
  const summary = `${counts || (isEmpty ? "no tests were found" : "no tests ran")}${ending}`;
  return makeReport({ summary, passed, failed, skipped, failures });
};

function resultsOf(lines: readonly string[]): CtestResult[] {
  const results: CtestResult[] = [];
  const verbose = new Map<string, string[]>();
  let current: string[] | undefined;
  let missing = "";
  for (const line of lines) {
    const result = /^ *\d+\/\d+ +Test +#(\d+): (.+?) \.*(?: {3}|(?=\*\*\*))(.+)$/.exec(line);
    const own = /^(\d+): (.*)$/.exec(line);
    if (result !== null) {
      const [, number = "", name = "", rest = ""] = result;
      const state = rest.replace(/ +[\d.]+ sec$/, "").trim();
      current = state === "***Not Run" && missing !== "" ? [missing] : [];
      missing = "";
      results.push({ number, name, state, lines: current });
    } else if (/^ *(?:Start +\d+: |test \d+$)/.test(line) || /^\d+% tests passed, /.test(line))
      current = undefined;
    else if (
      own !== null &&
      !/^(?:Test (?:command|timeout)|Working Directory)/.test(own[2] ?? "")
    ) {
      const [, number = "", text = ""] = own;
      verbose.set(number, [...(verbose.get(number) ?? []), text]);
    } else if (line.startsWith("Could not find executable ")) missing = line;
    else current?.push(line.replace(/ {2}[\d.]+ sec$/, ""));
  }
  return results.map((result) => ({
    ...result,
    lines: [...(verbose.get(result.number) ?? []), ...result.lines],
  }));
}

interface Listed {
  readonly failed: ReadonlyMap<string, { readonly name: string; readonly state: string }>;
  /** How each was left out: `Disabled`, `Skipped`. */
  readonly skipped: readonly string[];
}

/** The two lists at the end: `	  2 - rounds (Failed)`. */
function listedOf(lines: readonly string[]): Listed {
  const failed = new Map<string, { readonly name: string; readonly state: string }>();
  const skipped: string[] = [];
  let isFailures = false;
  for (const line of lines) {
    if (/^The following tests (?:FAILED|did not run):/.test(line))
      isFailures = line.includes("FAILED");
    const [, number = "", name = "", state = ""] =
      /^\t *(\d+) - (.+?) \(([^()]+)\)(?: +\S.*)?$/.exec(line) ?? [];
    if (number === "") continue;
    if (isFailures) failed.set(number, { name, state });
    else skipped.push(state);
  }
  return { failed, skipped };
}

function findingOf(
  result: { readonly name: string; readonly state: string } & Partial<CtestResult>,
  listed: Listed["failed"] = new Map(),
): Finding {
  const state = listed.get(result.number ?? "")?.state;
  const said = result.state.replace(/^\*\*\*/, "");
  const message = trimLines([
    state === undefined || said.toLowerCase().includes(state.toLowerCase())
      ? said
      : `${said} (${state})`,
    ...(result.lines ?? []),
  ]);
  const place =
    /^(?:.*?[\s"(])?((?:\/|\.\/)?[\w./+-]+\.(?:c|cc|cpp|cxx|h|hpp|rs|py|m|mm|f90)):(\d+)\b/m.exec(
      message,
    );
  const location = place === null ? null : `${place[1]}:${place[2]}`;
  return { name: result.name, location, message };
}
