/** `stats` over calls that were really made: what is recorded, by which command, and where nothing is. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createTemporaryFolder, runProgram } from "testkit";
import {
  type Answer,
  command,
  firstArgs,
  runBatch,
  runCodetool,
} from "../../cli/test-support/codetool.ts";
import type { StatsReport } from "./payload.ts";

const files = {
  "src/server.ts": `export function startServer() {\n  return "needle";\n}\n${"// filler\n".repeat(400)}`,
  "src/other.ts": `import { startServer } from "./server.ts";\nstartServer("needle");\n`,
};

async function stats(file: string, args: readonly string[] = []): Promise<Answer<StatsReport>> {
  const { code, stdout, stderr } = await runCodetool(["stats", ...args], {
    workingDirectory: import.meta.dirname,
    environment: { CODETOOL_STATS_FILE: file },
  });
  assert.deepEqual([code, stderr], [0, ""], stdout);
  return JSON.parse(stdout) as Answer<StatsReport>;
}

interface Recorded {
  readonly command: string;
  readonly actual_bytes: number;
  readonly baseline_bytes: number;
  readonly baseline_strategy: string;
  readonly tokens_saved: number;
}

function recordedIn(file: string): Recorded[] {
  const text = readFileSync(file, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
}

test("stats tells calls and savings of the last hour, the last day and all time, and of each command", async () => {
  using folder = createTemporaryFolder(files);
  const file = join(folder.path, "home/stats.jsonl");
  const options = { workingDirectory: folder.path, environment: { CODETOOL_STATS_FILE: file } };
  const empty = await stats(file);
  assert.deepEqual(empty.data, {
    periods: ["last_hour", "last_24h", "all_time"].map((label) => ({
      label,
      calls: 0,
      tokens_saved: 0,
      savings_percent: 0,
    })),
    total_calls: 0,
    total_tokens_saved: 0,
    by_command: {},
  });
  await runCodetool(["read", "src/server.ts", "--symbol", "startServer"], options);
  await runCodetool(["read", "src/server.ts", "--hash"], options);
  await runCodetool(["exists", "needle"], options);
  await runCodetool(["read", "src/nowhere.ts"], options);
  const { data } = await stats(file);
  const [read, , exists] = recordedIn(file);
  const saved = read?.tokens_saved ?? 0;
  assert.ok(saved > 500, String(saved));
  assert.equal(exists?.tokens_saved, 0);
  assert.deepEqual([data.total_calls, data.total_tokens_saved], [3, saved]);
  assert.deepEqual(
    data.periods.map(({ label, calls, tokens_saved }) => [label, calls, tokens_saved]),
    ["last_hour", "last_24h", "all_time"].map((label) => [label, 3, saved]),
  );
  for (const { savings_percent } of data.periods)
    assert.ok(savings_percent > 50 && savings_percent < 100, String(savings_percent));
  assert.deepEqual(Object.keys(data.by_command), ["read", "exists"]);
  assert.deepEqual(data.by_command["exists"], { calls: 1, savings_pct: 0 });
  for (const flag of ["--verbose", "--compare"]) {
    const verbose = await stats(file, [flag]);
    assert.deepEqual(Object.keys(verbose.data.by_command["read"] ?? {}), [
      "calls",
      "savings_pct",
      "tokens",
      "baseline_tokens",
      "tokens_saved",
      "mean_ms",
    ]);
    assert.deepEqual(verbose.data.periods, data.periods);
  }
});

test("each command is compared with what the Unix way prints for the same question", async () => {
  using folder = createTemporaryFolder(files);
  using apart = createTemporaryFolder();
  const file = join(apart.path, "stats.jsonl");
  const options = { workingDirectory: folder.path, environment: { CODETOOL_STATS_FILE: file } };
  const size = statSync(join(folder.path, "src/server.ts")).size;
  const grep = [
    `src/other.ts:2:startServer("needle");\n`,
    `src/server.ts:2:  return "needle";\n`,
  ].join("").length;
  const lines = `export function startServer() {\n  return "needle";`.length;
  const rows: readonly (readonly [args: string[], way: string, bytes: number | "none"])[] = [
    [["search", "needle"], "grep_rn", grep],
    [["search", "--regex", "need.e"], "grep_rn", grep],
    [["search", "where does startServer begin"], "none", "none"],
    [["search", "--exists", "needle"], "none", "none"],
    [["read", "src/server.ts"], "cat", size],
    [["read", "src/server.ts", "--skeleton"], "cat", size],
    [["read", "src/server.ts", "--lines", "1-2"], "sed", lines],
    [["read", "src/server.ts", "--lines", "1-2", "--number"], "sed", lines],
    [["read", "src/server.ts", "--lines", "2", "--snap", "function"], "cat", size],
    [["outline", "src/server.ts"], "cat", size],
    [["outline", "src"], "none", "none"],
    [["find", "--flat"], "find", "2 src/other.ts\n403 src/server.ts\n".length],
    [["find", "--plain"], "find", "src/other.ts\nsrc/server.ts\n".length],
    [["find", "--related-to", "server"], "none", "none"],
    [["exists", "needle"], "none", "none"],
    [["context", "src"], "cat", size + statSync(join(folder.path, "src/other.ts")).size],
    [["impact", "src/server.ts"], "none", "none"],
    [["run", "--", "echo", "needle"], "command", "needle\n".length],
    [["edit", "src/server.ts", "--find", "needle", "--replace", "pin"], "none", "none"],
  ];
  for (const [args, way, bytes] of rows) {
    writeFileSync(file, "");
    const { stdout, stderr } = await runCodetool(args, options);
    assert.equal(stderr, "", args.join(" "));
    const [only, ...more] = recordedIn(file);
    const actual = args.includes("--plain") ? stdout.length : stdout.trimEnd().length;
    assert.deepEqual(
      [only?.command, only?.baseline_strategy, only?.baseline_bytes, only?.actual_bytes, more],
      [args[0], way, bytes === "none" ? actual : bytes, actual, []],
      args.join(" "),
    );
  }
});

test("later pages of a search have nothing to compare with: grep printed all with the first", async () => {
  using folder = createTemporaryFolder(files);
  const file = join(folder.path, "stats.jsonl");
  const options = { workingDirectory: folder.path, environment: { CODETOOL_STATS_FILE: file } };
  const first = await runCodetool(["search", "filler", "src", "--top-k", "1"], options);
  const { data } = JSON.parse(first.stdout) as Answer<{ readonly continuation_token: string }>;
  const token = data.continuation_token;
  await runCodetool(["search", "filler", "src", "--top-k", "1", "--continue", token], options);
  const [one, two] = recordedIn(file);
  assert.ok((one?.baseline_bytes ?? 0) >= 400 * "server.ts:1:// filler\n".length);
  assert.deepEqual([two?.baseline_strategy, two?.baseline_bytes], ["grep_rn", 0]);
});

test("each line of a batch is a call; stats itself and what failed is none", async () => {
  using folder = createTemporaryFolder(files);
  const file = join(folder.path, "stats.jsonl");
  const requests = [
    { cmd: "read", file: "src/server.ts" },
    { cmd: "stats" },
    { cmd: "read", file: "nowhere" },
    { cmd: "exists", pattern: "needle" },
  ];
  const answers = await runBatch(requests, {
    workingDirectory: folder.path,
    environment: { CODETOOL_STATS_FILE: file },
  });
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["ok", "ok", "error", "ok"],
  );
  assert.deepEqual(
    recordedIn(file)
      .map((call) => call.command)
      .toSorted(),
    ["exists", "read"],
  );
});

test("--reset forgets all, and refuses a file that is something else", async () => {
  using folder = createTemporaryFolder({ ...files, "notes.txt": "mine\n" });
  const file = join(folder.path, "stats.jsonl");
  const options = { workingDirectory: folder.path, environment: { CODETOOL_STATS_FILE: file } };
  await runCodetool(["exists", "needle"], options);
  const reset = await runCodetool(["stats", "--reset"], options);
  assert.deepEqual((JSON.parse(reset.stdout) as Answer).data, { reset: true });
  assert.equal((await stats(file)).data.total_calls, 0);
  const notes = join(folder.path, "notes.txt");
  const refused = await runCodetool(["stats", "--reset"], {
    workingDirectory: folder.path,
    environment: { CODETOOL_STATS_FILE: notes },
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /it is not a record of calls, and is left as it is/);
  assert.equal(readFileSync(notes, "utf8"), "mine\n");
});

test("the file is below the home, only its owner's; where there is no home, or nothing can be written, nothing fails", async () => {
  using folder = createTemporaryFolder({ ...files, "no-folder": "" });
  const home = join(folder.path, "home");
  const run = async (
    environment: { readonly [name: string]: string | undefined },
    args: string[],
  ) =>
    await runCodetool(args, {
      workingDirectory: folder.path,
      environment: { CODETOOL_STATS_FILE: undefined, USERPROFILE: undefined, ...environment },
    });
  await run({ HOME: home }, ["exists", "needle"]);
  assert.equal(statSync(join(home, ".codetool/stats.jsonl")).mode & 0o777, 0o600);
  for (const none of [undefined, "", join(folder.path, "no-folder")]) {
    const { code, stdout, stderr } = await run({ HOME: none }, ["exists", "needle"]);
    assert.deepEqual([code, stderr], [0, ""], stdout);
  }
  const told = await run({ HOME: undefined }, ["stats", "--plain"]);
  assert.deepEqual([told.code, told.stdout], [0, "No call was recorded yet.\n"]);
  assert.match(told.stderr, /warning: Nothing is recorded: HOME is not set/);
});

test("--plain draws bars, without colours where nobody sees them", async () => {
  using folder = createTemporaryFolder(files);
  const file = join(folder.path, "stats.jsonl");
  const options = { workingDirectory: folder.path, environment: { CODETOOL_STATS_FILE: file } };
  await runCodetool(["read", "src/server.ts", "--symbol", "startServer"], options);
  const { stdout } = await runCodetool(["stats", "--plain", "--verbose"], options);
  assert.match(stdout, /^[\d,]+ tokens saved against the Unix way, in 1 call\n/);
  assert.match(stdout, /^last hour +1 call +[\d,]+ tokens {2}█+░* {2}\d+\.\d %$/m);
  assert.match(stdout, /^read {2}1 call .* {2}\d+ for [\d,]+ tokens, \d+(\.\d)? ms$/m);
  assert.ok(!stdout.includes("\u001B"));
});

test("a process records its call, and where the file is /dev/null none", async () => {
  using folder = createTemporaryFolder(files);
  const file = join(folder.path, "stats.jsonl");
  const ask = async (to: string) =>
    await runProgram(command, [...firstArgs, "exists", "needle"], {
      workingDirectory: folder.path,
      environment: { CODETOOL_STATS_FILE: to },
    });
  const [recorded, unrecorded] = [await ask(file), await ask("/dev/null")];
  assert.equal(recorded.stdout, unrecorded.stdout);
  assert.equal(recordedIn(file).length, 1);
});

test("twenty processes at once, and a log that is folded meanwhile: no call is lost, none counts twice", async () => {
  const [processCount, callCount] = [20, 200];
  const address = (name: string): string =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, "../usage", name)).href);
  using folder = createTemporaryFolder({
    "write.mjs": `
      import { recordCall } from ${address("record-call.ts")};
      import { foldUsage } from ${address("fold-usage.ts")};
      const [, , path] = process.argv;
      for (let count = 0; count < ${callCount}; count += 1) {
        const call = { tsSeconds: 1_800_000_000, command: "read", actualBytes: 4, wallMs: 1 };
        if (recordCall(path, { ...call, unixOutput: { way: "cat", sizeBytes: 8 } }, 8192)) foldUsage(path);
      }
    `,
  });
  const path = join(folder.path, "stats.jsonl");
  const args = ["--conditions=agentrt-source", join(folder.path, "write.mjs"), path];
  const ends = await Promise.all(
    Array.from({ length: processCount }, () => runProgram(process.execPath, args)),
  );
  for (const { code, stderr } of ends) assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(existsSync(join(folder.path, "stats.jsonl.d/totals.json")), true);
  const { data } = await stats(path, ["--verbose"]);
  const all = processCount * callCount;
  assert.deepEqual([data.total_calls, data.total_tokens_saved], [all, all]);
  assert.deepEqual(Object.keys(data.by_command), ["read"]);
});
