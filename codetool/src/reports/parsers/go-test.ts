import { jsonLines, type JsonObject, textOf } from "../json-in-text.ts";
import { trimLines } from "../trim-lines.ts";
import {
  countsText,
  type Finding,
  makeReport,
  type ParseOutput,
  plural,
  type Report,
} from "../report.ts";

/**
 * Output of `go test`: its `-json` events, else what it prints with and without `-v`. Without `-v` Go does not print what
 * passed, so only failed tests can be counted, and packages in the summary.
 */
export const parseGoTest: ParseOutput = ({ stdout, combined }) => {
  const events = jsonLines(stdout).filter(isEvent);
  const run = events.length > 0 ? runOfEvents(events, combined) : runOfText(combined.split("\n"));
  return run.packages.length === 0 && run.tests.length === 0 ? undefined : reportOf(run);
};

interface GoTest {
  readonly pkg: string;
  readonly name: string;
  readonly action: "pass" | "fail" | "skip";
  readonly lines: readonly string[];
}

interface GoPackage {
  readonly name: string;
  readonly action: "pass" | "fail" | "skip";
  /** What it printed next to its tests, or the compiler did. */
  readonly lines: readonly string[];
}

interface GoRun {
  readonly tests: readonly GoTest[];
  readonly packages: readonly GoPackage[];
  readonly isCountingPassed: boolean;
}

function reportOf({ tests, packages, isCountingPassed }: GoRun): Report {
  const failedTests = tests.filter(({ action }) => action === "fail");
  const failedPackages = new Set(failedTests.map(({ pkg }) => pkg));
  const broken = packages.filter(
    ({ name, action }) => action === "fail" && !failedPackages.has(name),
  );
  const of = (action: GoTest["action"]): number =>
    tests.filter((test) => test.action === action).length;
  const failed = failedTests.length + broken.length;
  const counts = countsText([
    [of("pass"), "passed"],
    [failed, "failed"],
    [of("skip"), "skipped"],
  ]);
  const okay = packages.filter(({ action }) => action === "pass").length;
  const packagesText = `${okay} of ${plural(packages.length, "package")} ok`;
  const remark = isCountingPassed ? "" : "; Go lists passed tests only with -v or -json";
  return makeReport({
    summary: `${counts === "" ? "" : `${counts}; `}${packagesText}${remark}`,
    passed: of("pass"),
    failed,
    skipped: of("skip"),
    failures: [...failuresOf(failedTests, packages), ...broken.map(brokenPackage)],
  });
}

/** A test that failed only by its subtests is counted, and not shown next to them. */
function failuresOf(failed: readonly GoTest[], packages: readonly GoPackage[]): Finding[] {
  const parents = new Set(
    failed.flatMap(({ pkg, name }) =>
      [...name.matchAll(/\//g)].map(({ index }) => `${pkg} ${name.slice(0, index)}`),
    ),
  );
  // A crash prints where the output of tests cannot be told apart.
  const crashes = new Map(packages.map(({ name, lines }) => [name, lines]));
  return failed.flatMap((test) => {
    const own = test.lines.filter(
      (line) => !/^\s*(?:=== |--- (?:FAIL|PASS|SKIP)|(?:FAIL|PASS|ok)\b)/.test(line),
    );
    let message = trimLines(own);
    if (message === "" && parents.has(`${test.pkg} ${test.name}`)) return [];
    if (message === "") {
      message = trimLines(crashes.get(test.pkg) ?? []);
      crashes.delete(test.pkg);
    }
    const name = test.pkg === "" ? test.name : `${test.pkg}.${test.name}`;
    const location = locationIn(message);
    const said = message === "" ? "it failed and printed nothing" : message;
    return [{ name, location, message: said, ...originOf(test.pkg, location) }];
  });
}

function brokenPackage({ name, lines }: GoPackage): Finding {
  const message = trimLines(lines);
  const location = locationIn(message);
  return { name, location, message, ...originOf(name, location) };
}

/** Tests name files without their folder; compilers name them from the working directory. */
function originOf(pkg: string, location: string | null): Pick<Finding, "origin"> {
  return pkg === "" || location === null || location.includes("/") ? {} : { origin: pkg };
}

/** The last place in a test file, as `t.Fatal` names it, else the first frame outside of Go itself. */
function locationIn(text: string): string | null {
  const places = [...text.matchAll(/(^|\s)([^\s:]+\.go:\d+)(:\d+)?/gm)]
    .map(([, , place = "", column = ""]) => place + column)
    .filter((place) => !/\/go\/src\/|\/src\/(?:runtime|testing)\/|^_testmain/.test(place));
  const inTests = [...text.matchAll(/^\s+([^\s:/]+_test\.go:\d+): /gm)].at(-1)?.[1];
  return inTests ?? places[0] ?? null;
}

function isEvent(event: JsonObject): boolean {
  return (
    typeof event["Action"] === "string" &&
    (typeof event["Package"] === "string" || typeof event["ImportPath"] === "string")
  );
}

function runOfEvents(events: readonly JsonObject[], combined: string): GoRun {
  const outputs = new Map<string, string[]>();
  const builds = new Map<string, string[]>();
  const tests: GoTest[] = [];
  const packages: GoPackage[] = [];
  const linesAt = (map: Map<string, string[]>, key: string): string[] => {
    const lines = map.get(key) ?? [];
    map.set(key, lines);
    return lines;
  };
  for (const event of events) {
    const [pkg, name] = [textOf(event["Package"]), textOf(event["Test"])];
    const action = textOf(event["Action"]);
    const output = textOf(event["Output"]).replace(/\n$/, "");
    if (action === "output") linesAt(outputs, `${pkg} ${name}`).push(output);
    else if (action === "build-output") linesAt(builds, textOf(event["ImportPath"])).push(output);
    else if (action === "pass" || action === "fail" || action === "skip") {
      const lines = outputs.get(`${pkg} ${name}`) ?? [];
      if (name !== "") tests.push({ pkg, name, action, lines });
      else {
        const build = builds.get(textOf(event["FailedBuild"])) ?? [];
        const own = lines.filter((line) => !/^(?:FAIL|PASS|ok)\b/.test(line));
        packages.push({ name: pkg, action, lines: build.length > 0 ? build : own });
      }
    }
  }
  // Before Go 1.24 the compiler's words are between the events.
  const between = runOfText(combined.split("\n").filter((line) => !line.startsWith("{"))).packages;
  const known = new Set(packages.filter(({ lines }) => lines.length > 0).map(({ name }) => name));
  const all = packages.map((each) =>
    known.has(each.name)
      ? each
      : { ...each, lines: between.find(({ name }) => name === each.name)?.lines ?? each.lines },
  );
  return { tests, packages: all, isCountingPassed: true };
}

/** Text: a package's line ends what was printed for it. */
function runOfText(lines: readonly string[]): GoRun {
  const tests: GoTest[] = [];
  const packages: GoPackage[] = [];
  const builds = new Map<string, string[]>();
  let pending: { name: string; action: GoTest["action"]; lines: string[] }[] = [];
  const running = new Map<string, string[]>();
  let current: string[] = [];
  let loose: string[] = current;
  let isCountingPassed = false;
  for (const line of lines) {
    const result = /^\s*--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/.exec(line);
    const state = /^=== (RUN|PAUSE|CONT|NAME) +(\S+)/.exec(line);
    const pkg =
      /^(ok|FAIL|\?) *\t(\S+)(?:\t| \[|$)(.*)$/.exec(line) ??
      /^(FAIL|ok) +(\S+) (\[.*)$/.exec(line) ??
      /^()\t(\S+)\t\t(coverage: .*)$/.exec(line);
    const build = /^# (\S+)(?: \[\S+\])?$/.exec(line);
    if (result !== null) {
      const [, word = "", name = ""] = result;
      if (word === "PASS") isCountingPassed = true;
      current = [...(running.get(name) ?? [])];
      const action = word === "PASS" ? "pass" : word === "FAIL" ? "fail" : "skip";
      pending.push({ name, action, lines: current });
    } else if (state !== null) {
      isCountingPassed = true;
      current = running.get(state[2] ?? "") ?? [];
      running.set(state[2] ?? "", current);
    } else if (build !== null) {
      current = builds.get(build[1] ?? "") ?? [];
      builds.set(build[1] ?? "", current);
    } else if (pkg !== null) {
      const [, word = "", name = "", rest = ""] = pkg;
      const action = word === "FAIL" ? "fail" : word === "ok" ? "pass" : "skip";
      tests.push(...pending.map((test) => ({ ...test, pkg: name })));
      const unfinished = [...running].flatMap(([test, said]) =>
        pending.some((ended) => ended.name === test) ? [] : [`${test} did not finish`, ...said],
      );
      const text = builds.get(name) ?? builds.get(`${name}_test`) ?? [...loose, ...unfinished];
      packages.push({ name, action, lines: text.length > 0 || action !== "fail" ? text : [rest] });
      pending = [];
      running.clear();
      current = [];
      loose = current;
    } else if (!/^(?:PASS|FAIL|exit status \d+)$/.test(line)) current.push(line);
  }
  tests.push(...pending.map((test) => ({ ...test, pkg: "" })));
  return { tests, packages, isCountingPassed };
}
