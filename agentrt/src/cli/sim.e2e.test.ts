import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
import { randomBytes } from "node:crypto";
const loadedAt = Date.now() + Math.random();
export class Dicer extends Agent {
  override async handle() {
    const dice = [Math.random(), Date.now(), new Date().toISOString(), performance.now(), process.hrtime.bigint()];
    const ids = [crypto.randomUUID(), randomBytes(4).toString("hex"), crypto.getRandomValues(new Uint8Array(4)).join()];
    return { isBad: Math.random() < 0.02, drawn: [loadedAt, ...dice, ...ids].join(" ") };
  }
}
export class Clerk extends Agent {
  override async handle() {
    const messages = [{ role: "user" as const, content: "Done?" }];
    return { answer: (await this.llm.chat({ messages })).content };
  }
}
export class Sleeper extends Agent {
  override async handle() {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
export class Unlucky extends Agent {
  override async handle() {
    if (this.config["isUnlucky"] === true) throw new Error("no luck with " + String(this.config["word"]));
  }
}
export class Reader extends Agent {
  override async handle() {
    const { content } = await this.tools.call("mcp://files/read", { path: "a.txt" });
    return { answer: content };
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
export function lucky() {
  return [{ name: "lucky", onFact: (fact) => (fact.type === "answered" && fact.payload.isBad ? fact.payload.drawn : undefined) }];
}
export function yes({ random }) {
  const provider = { defaultModel: "m", chat: async ({ model }) => ({ model, content: random() < 2 ? "Yes" : "" }) };
  return [{ name: "main", provider }];
}
export function saysYes() {
  return [{ name: "says-yes", onFact: (fact) => (fact.type === "answered" && fact.payload.answer !== "Yes" ? "it says " + fact.payload.answer : undefined) }];
}
export function wrong() { return "none"; }
export function files() {
  const call = async (tool, { path }) => ({ content: tool + " " + path, isError: false });
  return [{ name: "files", scheme: "mcp", tools: () => [{ name: "read", inputSchema: { type: "object" } }], call }];
}
export function reads() {
  return [{ name: "reads", onFact: (fact) => (fact.type === "answered" && fact.payload.answer !== "read a.txt" ? "it says " + fact.payload.answer : undefined) }];
}
`,
);
const topology = (children: string, model?: string): string => {
  const path = join(base, "topology.yaml");
  writeFileSync(
    path,
    `plugins:\n  state: { type: sqlite, config: { db_path: real.db } }\n${model === undefined ? "" : `  models: [{ type: openai, name: ${model}, config: { default_model: m } }]\n`}supervision:\n  name: root\n  children:\n${children}`,
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
  test(`agentrt sim finds nothing broken in 5 runs of the example ${example}`, () => {
    const { stdout, status } = sim(join(examples, example, "topology.yaml"), "--runs", "5");
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^5 runs, seeds 1 to 5: no invariant broken\n\d+ messages, \d+ faults/);
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

test("a find is made smaller: without the faults and with the fewest messages that it takes", () => {
  const path = topology("    - agent: { name: counter, type: agents.Counter }\n");
  const words = [path, "--runs", "200", "--invariants", "./promises.ts#small"];
  const { stdout, status } = sim(...words);
  assert.equal(status, 1);
  const found = /\nit fails as well with 4 messages and no fault: agentrt (.*)\n$/.exec(stdout);
  assert.ok(found, stdout);
  const smaller = found[1]?.split(" ") ?? [];
  assert.deepEqual(smaller.slice(-4), ["--faults", "none", "--messages", "4"]);
  const repeated = sim(...smaller.slice(1));
  assert.match(repeated.stdout, /stays-small: it is 4\n/);
  assert.match(repeated.stdout, /\n4 messages, 0 faults, /);
  const shared = sim(...words, "--json", "--jobs", "2");
  const { failure } = JSON.parse(shared.stdout) as { failure: { smaller: object } };
  const { faults, messages } = failure.smaller as { faults: string[]; messages: number };
  assert.deepEqual([faults, messages], [[], 4], shared.stdout);
  const wrong = sim(path, "--faults", "bad-luck");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /'--faults' is "bad-luck", wanted none, or of handlerThrows, /);
});

test("processes that share the runs come to the totals of one", () => {
  const path = topology("    - agent: { name: counter, type: agents.Counter }\n");
  const one = sim(path, "--runs", "21", "--json");
  const two = sim(path, "--runs", "21", "--json", "--jobs", "2");
  assert.equal(two.stdout, one.stdout, two.stderr);
});

test("a run in which an agent crashes by its own code fails, with the command that repeats it", () => {
  const path = topology("    - agent: { name: fragile, type: agents.Fragile }\n");
  const { stdout, status } = sim(path, "--runs", "5", "--calm");
  assert.equal(status, 1);
  assert.match(stdout, /^\d runs?, seeds? [\d to]+: an agent crashed by its own code\n/);
  assert.match(
    stdout,
    /no-crash-of-own-code: "fragile": this payload is none of mine \(at \S+\/agents\.ts:\d+:\d+\)\nrepeat it: /,
  );
  const { failure, ok } = JSON.parse(sim(path, "--runs", "5", "--json").stdout) as {
    failure: { invariant: string };
    ok: boolean;
  };
  assert.deepEqual([failure.invariant, ok], ["no-crash-of-own-code", false]);
});

test("the clock, chance and ids of agents repeat in another process, byte for byte", () => {
  const path = topology("    - agent: { name: dicer, type: agents.Dicer }\n");
  const { stdout, status } = sim(path, "--runs", "200", "--invariants", "./promises.ts#lucky");
  assert.equal(status, 1, stdout);
  const lines = stdout
    .replace(/it fails as well with .*\n/, "")
    .trim()
    .split("\n");
  const command = lines.at(-1)?.replace("repeat it: agentrt sim ", "") ?? "";
  for (let again = 0; again < 2; again += 1) {
    const repeated = sim(...command.split(" "))
      .stdout.trim()
      .split("\n");
    assert.deepEqual(repeated.slice(-2), lines.slice(-2));
  }
});

test("agentrt sim plays the models of the file: by chance, by a function, by a recording", () => {
  const path = topology("    - agent: { name: clerk, type: agents.Clerk }\n", "main");
  const promise = ["--runs", "20", "--invariants", "./promises.ts#saysYes"];
  const chance = sim(path, ...promise);
  assert.match(chance.stderr, /note: model provider "main" is played by chance/);
  assert.match(chance.stdout, /says-yes: it says /);
  const scripted = sim(path, ...promise, "--models", "./promises.ts#yes");
  assert.equal(scripted.status, 0, scripted.stdout + scripted.stderr);
  const request = { model: "m", messages: [{ role: "user", content: "Done?" }], tools: [] };
  const reply = { model: "m", content: "Yes", tokensIn: 1, tokensOut: 1, costUsd: null };
  const lines = [
    { v: 1, kind: "provider", name: "main", defaultModel: "m" },
    { v: 1, kind: "model", name: "main", request, reply },
  ];
  writeFileSync(join(base, "run.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  const replayed = sim(path, ...promise, "--models", "run.jsonl");
  assert.equal(replayed.status, 0, replayed.stdout + replayed.stderr);
  for (const [value, message] of [
    ["nowhere.jsonl", /Cannot simulate with --models nowhere\.jsonl: .*ENOENT/],
    ["./promises.ts#work", /--models \.\/promises\.ts#work: it returned no list/],
  ] as const) {
    const { stderr, status } = sim(path, "--models", value);
    assert.match(stderr, message);
    assert.equal(status, 1);
  }
});

test("agentrt sim lays files over each other and puts variables in; no value shows, and the command repeats", () => {
  const path = topology("    - agent: { name: unlucky, type: agents.Unlucky }\n");
  writeFileSync(
    join(base, "over.yaml"),
    "supervision:\n  children:\n    - name: unlucky\n      config: { isUnlucky: true, word: '${WORD}' }\n",
  );
  writeFileSync(join(base, "words.env"), "WORD=sesame-77\n");
  assert.equal(sim(path, "--runs", "3", "--calm").status, 0);
  const words = [path, "-t", "over.yaml", "--substitute-env", "--env-from", "words.env", "--calm"];
  const found = sim(...words, "--runs", "3");
  assert.equal(found.status, 1, found.stderr);
  assert.match(found.stderr, /^read from the environment: WORD$/m);
  assert.match(
    found.stdout,
    /no-crash-of-own-code: "unlucky": no luck with \$\{WORD\} \(at \S+\)\n/,
  );
  const [, command = ""] = /repeat it: agentrt sim (.*)\n/.exec(found.stdout) ?? [];
  const repeated = sim(...command.split(" "));
  const findOf = (text: string): string | undefined =>
    /^seed .*: no-crash-of-own-code: .*$/m.exec(text)?.[0];
  assert.equal(findOf(repeated.stdout), findOf(found.stdout));
  const shared = sim(...words, "--runs", "4", "--jobs", "2", "--trace", "--json");
  const { failure, overlays } = JSON.parse(shared.stdout) as {
    failure: { reason: string };
    overlays: string[];
  };
  assert.match(failure.reason, /^"unlucky": no luck with \$\{WORD\} \(at \S+:\d+\)$/);
  assert.deepEqual(overlays, ["over.yaml"]);
  for (const text of [found, repeated, shared].flatMap(({ stdout, stderr }) => [stdout, stderr]))
    assert.ok(!text.includes("sesame-77"), text);
  const piped = sim("-", "--jobs", "2");
  assert.deepEqual([piped.status, piped.stdout], [2, ""]);
  assert.match(piped.stderr, /--jobs cannot share a topology that comes on standard input/);
});

test("agentrt sim --tools plays the tool servers of the file by a function", () => {
  const path = topology("    - agent: { name: reader, type: agents.Reader }\n");
  const server = "mcp: { servers: [{ name: files, command: nobody-runs-this }] }\n";
  writeFileSync(path, server + readFileSync(path, "utf8"));
  const promise = [path, "--runs", "5", "--calm", "--invariants", "./promises.ts#reads"];
  const alone = sim(...promise);
  assert.match(alone.stderr, /note: tool server "files" is left out; --tools gives its answers/);
  assert.equal(alone.status, 1);
  const played = sim(...promise, "--tools", "./promises.ts#files");
  assert.equal(played.status, 0, played.stdout);
  assert.ok(!played.stderr.includes("note:"), played.stderr);
  const wrong = sim(path, "--tools", "./promises.ts#wrong");
  assert.deepEqual([wrong.status, wrong.stdout], [1, ""]);
  assert.match(wrong.stderr, /--tools \.\/promises\.ts#wrong: it returned no list/);
});

test("an agent that waits for the real world is refused, with its line", () => {
  const path = topology("    - agent: { name: sleeper, type: agents.Sleeper }\n");
  const { stderr, stdout, status } = sim(path, "--runs", "5");
  assert.match(
    stderr,
    /Cannot simulate "sleeper": it waits for the real world: a timer of the real/,
  );
  assert.match(stderr, /at .*\/agents\.ts:31:\d+/);
  assert.deepEqual([stdout, status], ["", 1]);
});

test("a tree that never starts ends with exit code 1 and the reason", () => {
  const path = topology("    - agent: { name: counter, type: agents.Unstartable }\n");
  const { stdout, status } = sim(path, "--runs", "5");
  assert.equal(status, 1);
  assert.match(stdout, /the tree started in none of the runs: .*no license/);
});

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
