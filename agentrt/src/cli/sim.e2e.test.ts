import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { agentrtLauncher } from "testkit";

const binary = agentrtLauncher();
const examples = fileURLToPath(new URL("../../../examples/simulation", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-sim-")));
after(() => rmSync(base, { recursive: true, force: true }));

writeFileSync(
  join(base, "agents.ts"),
  `import { Agent } from "agentrt";
export class Counter extends Agent {
  override async handle() {
    this.state.count = Number(this.state.count ?? 0) + 1;
    await this.checkpoint();
    return { ...this.state };
  }
}
export class Fragile extends Agent {
  override handle() {
    throw new TypeError("this payload is none of mine");
  }
}
export class Sleeper extends Agent {
  override async handle() {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
export class Unstartable extends Agent {
  override onStart() {
    throw new Error("no license");
  }
  override handle() {}
}
`,
);
writeFileSync(
  join(base, "promises.ts"),
  `export function small() {
  return [{ name: "stays-small", onQuiet: ({ stateOf }) => (stateOf("counter")?.count > 3 ? "it is " + stateOf("counter").count : undefined) }];
}
export async function work({ call, sleep }) {
  for (let n = 0; n < 20; n += 1) { await call("counter", {}).catch(() => undefined); await sleep(50); }
}
export function wrong() { return "none"; }
`,
);
const topology = (children: string): string => {
  const path = join(base, "topology.yaml");
  writeFileSync(
    path,
    `plugins:\n  state: { type: sqlite, config: { db_path: real.db } }\nsupervision:\n  name: root\n  children:\n${children}`,
  );
  return path;
};

function sim(...words: string[]): { stdout: string; stderr: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [binary, "sim", ...words], {
    cwd: base,
    encoding: "utf8",
  });
  return { stdout, stderr, status };
}

for (const example of ["retries", "escalation", "ledger", "ring", "fan-out", "tickets"]) {
  test(`agentrt sim finds nothing broken in 50 runs of the example ${example}`, () => {
    const { stdout, status } = sim(join(examples, example, "topology.yaml"), "--runs", "50");
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^50 runs, seeds 1 to 50: no invariant broken\n\d+ messages, \d+ faults/);
  });
}

test("agentrt sim keeps state in memory whatever the file says, and leaves gateways out", () => {
  const path = topology(
    "    - agent: { name: counter, type: agents.Counter }\n    - { name: door, type: http_gateway, config: { port: 1 } }\n",
  );
  const { stdout, stderr, status } = sim(path, "--runs", "5", "--json");
  assert.equal(status, 0, stderr);
  assert.match(stderr, /note: "door" is left out/);
  const printed = JSON.parse(stdout) as { runs: number; ok: boolean; left_out: string[] };
  assert.deepEqual([printed.runs, printed.ok, printed.left_out], [5, true, ["door"]]);
  assert.equal(sim(path, "--runs", "5", "--json").stdout, stdout, "the same seeds, the same bytes");
});

test("a broken invariant ends with exit code 1 and the one command that repeats it", () => {
  const path = topology("    - agent: { name: counter, type: agents.Counter }\n");
  const own = ["--workload", "./promises.ts#work", "--invariants", "./promises.ts#small"];
  const { stdout, status } = sim(path, "--runs", "200", ...own);
  assert.equal(status, 1);
  const found = /seed (\d+), after (\d+) ms: stays-small: it is 4\nrepeat it: agentrt (.*)\n/.exec(
    stdout,
  );
  assert.ok(found, stdout);
  const [, seed, atMs, command = ""] = found;
  const repeated = sim(...command.split(" ").slice(1), "--trace");
  assert.equal(repeated.status, 1);
  assert.match(
    repeated.stdout,
    new RegExp(`seed ${seed}, after ${atMs} ms: stays-small: it is 4\n`),
  );
  assert.match(repeated.stdout, /handle counter#\d+ >counter normal #\d+/);
  const shared = sim(path, "--runs", "200", "--jobs", "2", "--json", ...own);
  assert.equal(shared.status, 1, shared.stderr);
  const failure = (JSON.parse(shared.stdout) as { failure: { invariant: string } }).failure;
  assert.equal(failure.invariant, "stays-small");
});

test("processes that share the runs come to the totals of one", () => {
  const path = topology("    - agent: { name: counter, type: agents.Counter }\n");
  const one = sim(path, "--runs", "21", "--json");
  const two = sim(path, "--runs", "21", "--json", "--jobs", "2");
  assert.equal(two.stdout, one.stdout, two.stderr);
});

test("crashes of the agents' own code are no broken invariant, but are told", () => {
  const path = topology("    - agent: { name: fragile, type: agents.Fragile }\n");
  const { stdout, status } = sim(path, "--runs", "5", "--calm");
  assert.equal(status, 0);
  assert.match(stdout, /0 faults, \d+ crashes \(\d+ by the agents' own code\)/);
  assert.match(stdout, /own code: "fragile": this payload is none of mine/);
});

test("an agent that waits for the real world is refused, with its line", () => {
  const path = topology("    - agent: { name: sleeper, type: agents.Sleeper }\n");
  const { stderr, stdout, status } = sim(path, "--runs", "5");
  assert.match(
    stderr,
    /Cannot simulate "sleeper": it waits for the real world: a timer of the real/,
  );
  assert.match(stderr, /at .*\/agents\.ts:1[67]:\d+/);
  assert.deepEqual([stdout, status], ["", 1]);
});

test("a tree that never starts ends with exit code 1 and the reason", () => {
  const path = topology("    - agent: { name: counter, type: agents.Unstartable }\n");
  const { stdout, status } = sim(path, "--runs", "5");
  assert.equal(status, 1);
  assert.match(stdout, /the tree started in none of the runs: .*no license/);
});

for (const [words, message] of [
  [["--runs", "0"], /option '--runs' is "0", wanted a whole number from 1/],
  [["--runs", "1e3"], /option '--runs' is "1e3"/],
  [["--seed", "-1"], /option '--seed' is "-1"/],
  [["--duration", "soon"], /option '--duration' is "soon", wanted seconds above 0/],
  [["--jobs", "1000"], /option '--jobs' is "1000"/],
] as const) {
  test(`agentrt sim ${words.join(" ")} is wrong usage`, () => {
    const path = topology("    - agent: { name: counter, type: agents.Counter }\n");
    const { stderr, status } = sim(path, ...words);
    assert.match(stderr, message);
    assert.equal(status, 2);
  });
}

for (const [words, message] of [
  [["--workload", "./nowhere.ts#work"], /Cannot load ".\/nowhere.ts#work"/],
  [["--invariants", "./promises.ts#wrong"], /returns no list of invariants/],
  [["--workload", "./agents.ts#Counter"], /found a class, wanted a function/],
] as const) {
  test(`agentrt sim ${words.join(" ")} is refused before anything runs`, () => {
    const path = topology("    - agent: { name: counter, type: agents.Counter }\n");
    const { stderr, stdout, status } = sim(path, ...words);
    assert.match(stderr, message);
    assert.deepEqual([stdout, status], ["", 1]);
  });
}
