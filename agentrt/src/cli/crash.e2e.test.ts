/**
 * Crashes of a real run are repeated by the command that `agentrt crash show` prints. Each case depends on something that is
 * only in its record: an answer of a model or a tool, a timer, or the state since the last checkpoint.
 */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  agentrtLauncher,
  createTemporaryFolder,
  type Program,
  repetitions,
  runProgram,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import { agentrt } from "./test-support/agentrt.ts";

const binary = agentrtLauncher();
const toolServer = fileURLToPath(new URL("../tools/fixtures/tool-server.ts", import.meta.url));
const password = "hunter2-xyzzy";

/** Asks a model whose answers are different in each process. */
const model = `
import { type ModelProvider, modelReply, type ModelRequest } from "agentrt";
let count = 0;
export class Oracle implements ModelProvider {
  readonly defaultModel = "oracle";
  async chat({ model, messages }: ModelRequest) {
    const asked = messages.at(-1)?.content ?? "";
    count += 1;
    if (asked === "fail") throw new Error("the oracle is silent " + process.pid);
    const content = asked === "json" ? "{ not json " + process.pid : asked + " " + process.pid + "." + count;
    if (asked === "slow") await new Promise((resolve) => setTimeout(resolve, 100));
    const toolCalls = asked === "tool" ? [{ id: "1", name: "mcp://fixture/who", input: {} }] : null;
    return modelReply({ model, content, toolCalls, tokensIn: 1, tokensOut: 1 });
  }
}
`;

const agents = `
import { Agent, type Message } from "agentrt";
const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const twice = (value: unknown) => { throw new TypeError("refused: " + String(value)); };

export class M1 extends Agent {
  async handle() { throw new Error("verdict " + (await this.llm.chat(ask("guilty?"))).content); }
}
export class M2 extends Agent {
  async handle() {
    let text = "";
    for await (const chunk of this.llm.stream(ask("stream"))) if (chunk.type === "text") text += chunk.text;
    twice(text);
  }
}
export class M3 extends Agent {
  async handle() {
    const order: string[] = [];
    const note = (content: string) => this.llm.chat(ask(content)).then((reply) => order.push(reply.content));
    await Promise.all([note("slow"), note("fast")]);
    throw new Error("in order: " + order.join());
  }
}
export class M4 extends Agent {
  async handle() { await this.llm.chat(ask("fail")); }
}
export class M5 extends Agent {
  async handle() { return JSON.parse((await this.llm.chat(ask("json"))).content); }
}

export class T1 extends Agent {
  async handle() { throw new Error("who: " + String((await this.tools.call("mcp://fixture/who", {})).content)); }
}
export class T2 extends Agent {
  async handle() { await this.tools.call("mcp://fixture/refuse", {}); }
}
export class T3 extends Agent {
  async handle({ payload }: Message) {
    const { structured } = await this.tools.call("mcp://fixture/add", { a: Number(payload["a"]), b: 2 });
    if (structured?.["sum"] === 42) throw new RangeError("the answer is " + String(structured["sum"]));
  }
}
export class T4 extends Agent {
  async handle() {
    const { toolCalls } = await this.llm.chat({ ...ask("tool"), tools: this.tools.forModel() });
    for (const each of toolCalls ?? []) twice((await this.tools.answer(each)).content);
  }
}
export class T5 extends Agent {
  async handle() {
    const { content } = await this.tools.call("mcp://fixture/mixed", {});
    return { text: (content as string).toUpperCase() };
  }
}

export class C1 extends Agent {
  ticks = 0;
  async handle({ type }: Message) {
    if (type !== "tick") return void this.sendAfter(20, {}, { type: "tick" });
    this.ticks += 1;
    if (this.ticks === 3) throw new Error("third tick");
    this.sendAfter(20, {}, { type: "tick" });
  }
}
export class C2 extends Agent {
  async handle() { await new Promise(() => undefined); }
}
export class C3 extends Agent {
  beganMs = 0;
  async handle({ type }: Message) {
    if (type !== "tick") {
      this.beganMs = Date.now();
      return void this.sendAfter(120, {}, { type: "tick" });
    }
    if (Date.now() - this.beganMs >= 100) throw new Error("too late");
  }
}
export class C4 extends Agent {
  async handle({ type, payload }: Message) {
    const left = type === "tick" ? Number(payload["left"]) : 4;
    if (left === 0) twice(payload["path"]);
    this.sendAfter(10, { left: left - 1, path: String(payload["path"] ?? "") + left }, { type: "tick" });
  }
}
export class Mute extends Agent {
  async handle() { await new Promise(() => undefined); }
}
export class C5 extends Agent {
  async handle() { await this.call("mute", {}, { timeoutMs: 100 }); }
}

export class Till extends Agent {
  override state = { sum: 0 };
  async handle({ payload }: Message) {
    this.state.sum += Number(payload["add"] ?? 0);
    if (payload["save"] === true) await this.checkpoint();
    if (this.state.sum > 100) throw new Error("too much: " + this.state.sum + " " + String(payload["password"] ?? ""));
  }
}
export class S2 extends Agent {
  readonly seen: string[] = [];
  async handle({ payload }: Message) {
    this.seen.push(String(payload["word"]));
    if (this.seen.length === 3) throw new Error(this.seen.join(" "));
  }
}
`;

/** What is asked of an agent until it crashes; a text is the path of a route of the control plane. */
interface Case {
  readonly agent: string;
  readonly asks?: readonly (string | { readonly [name: string]: string | number | boolean })[];
  /** Name of what crashes, where that is another one. */
  readonly crashed?: string;
}

const kinds: { readonly [kind: string]: readonly Case[] } = {
  "a model's answer": [
    { agent: "m1" },
    { agent: "m3" },
    { agent: "m2" },
    { agent: "m4" },
    { agent: "m5" },
  ],
  "a tool's answer": [
    { agent: "t1" },
    { agent: "t4" },
    { agent: "t2" },
    { agent: "t3", asks: [{ a: 1 }, { a: 40 }] },
    { agent: "t5" },
  ],
  "a timer": [{ agent: "c1" }, { agent: "c3" }, { agent: "c2" }, { agent: "c4" }, { agent: "c5" }],
  "the state since the last checkpoint": [
    { agent: "s1", asks: [{ add: 60, save: true }, { add: 30 }, { add: 20, password }] },
    { agent: "s2", asks: [{ word: "one" }, { word: "two" }, { word: "three" }] },
    { agent: "s3", asks: [{ add: 50 }, { add: 70, save: true }] },
    {
      agent: "s4",
      asks: [{ add: 80, save: true }, "/agents/s4/restart", { add: 15 }, { add: 10 }],
    },
    {
      agent: "s5",
      crashed: "s5/4711",
      asks: [
        { ticket: "4711", add: 90, save: true },
        { ticket: "4712", add: 99 },
        { ticket: "4711", add: 20 },
      ],
    },
  ],
};

const plain = [
  "M1",
  "M2",
  "M3",
  "M4",
  "M5",
  "T1",
  "T2",
  "T3",
  "T4",
  "T5",
  "C1",
  "C3",
  "C4",
  "C5",
  "S2",
];

const topology = `mcp:
  servers:
    - { name: fixture, command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(toolServer)}] }
plugins:
  models:
    - { name: main, type: model.Oracle }
supervision:
  name: root
  max_restarts: 100
  backoff_base: 0.01
  children:
${plain.map((name) => `    - { name: ${name.toLowerCase()}, type: agents.${name} }`).join("\n")}
    - { name: c2, type: agents.C2, handle_timeout: 0.2 }
    - { name: mute, type: agents.Mute }
    - { name: s1, type: agents.Till }
    - { name: s3, type: agents.Till }
    - { name: s4, type: agents.Till }
    - { name: s5, type: keyed, class: agents.Till, key: ticket }
    - { name: control, type: topology_server, host: 127.0.0.1, port: 0 }
    - { name: api, type: http_gateway, host: 127.0.0.1, port: 0 }
`;

async function crash(
  program: Program,
  { agent, asks = [{}], crashed = agent }: Case,
): Promise<string> {
  const [, api] = await program.waitFor(/^api listens on (\S+)/m);
  const [, control] = await program.waitFor(/^control\S* listens on (\S+)/m);
  const headers = { "content-type": "application/json" };
  for (const asked of asks) {
    const isRoute = typeof asked === "string";
    const url = isRoute ? `${control}${asked}` : `${api}/agents/${agent}/cast`;
    const body = JSON.stringify(isRoute ? {} : asked);
    const response = await fetch(url, { method: "POST", headers, body });
    assert.ok(response.ok, `${url}: ${response.status} ${await response.text()}`);
  }
  const [, id = ""] = await program.waitFor(
    new RegExp(`crash recorded agent=${crashed} crash=(\\S+)`),
  );
  return id;
}

async function repeat(folder: TemporaryFolder, id: string): Promise<void> {
  const shown = await agentrt(["crash", "show", id], { directory: folder.path });
  assert.equal(shown.exitCode, 0, shown.stderr);
  const [, line = ""] = /^repeat it: agentrt (.*)$/m.exec(shown.stdout) ?? [];
  const replayed = await runProgram(process.execPath, [binary, ...line.split(" ")], {
    workingDirectory: folder.path,
  });
  assert.equal(replayed.code, 0, `${shown.stdout}\n${replayed.stdout}${replayed.stderr}`);
  assert.match(replayed.stdout, /^repeated: /);
}

test("crashes are repeated by the command that their record prints", async (t) => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "model.ts": model,
    "topology.yaml": topology,
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started; /);
  // One of each kind with every change, five in the long suite.
  const count = Math.floor(repetitions(20) / 4);
  const recorded: { readonly name: string; readonly id: string }[] = [];
  for (const [kind, cases] of Object.entries(kinds))
    for (const each of cases.slice(0, count))
      recorded.push({ name: `${each.agent}: ${kind}`, id: await crash(program, each) });
  program.kill("SIGTERM");
  await program.exited();
  for (const { name, id } of recorded) await t.test(name, async () => await repeat(folder, id));
  for (const { id } of recorded) {
    const path = join(folder.path, "agentrt_crashes", `${id}.json`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.ok(!readFileSync(path, "utf8").includes(password));
  }
});

test("a replay that cannot hold says why: code that has changed, chance, and too many messages since the checkpoint", async () => {
  const changing = `
import { Agent, type Message } from "agentrt";
export class Drawer extends Agent {
  async handle() { throw new Error("drawn " + String(Math.random())); }
}
export class Full extends Agent {
  override state = { sum: 0 };
  async handle({ payload }: Message) {
    this.state.sum += 1;
    if (payload["isLast"] === true) throw new Error("the last");
  }
}
`;
  const path = "topology.yaml";
  using folder = createTemporaryFolder({
    "agents.ts": changing,
    [path]: `supervision:
  name: root
  children:
    - { name: drawer, type: agents.Drawer }
    - { name: full, type: agents.Full }
    - { name: control, type: topology_server, host: 127.0.0.1, port: 0 }
    - { name: api, type: http_gateway, host: 127.0.0.1, port: 0 }
`,
  });
  const options = { workingDirectory: folder.path };
  await using program = startProgram(process.execPath, [binary, "run"], options);
  await program.waitFor(/started; /);
  const drawn = await crash(program, { agent: "drawer" });
  const asks = [...Array.from({ length: 40 }, () => ({ isLast: false })), { isLast: true }];
  const full = await crash(program, { agent: "full", asks });
  const [, control] = await program.waitFor(/^control\S* listens on (\S+)/m);
  const told = (await (await fetch(`${control}/crashes/${full}`)).json()) as {
    readonly id: string;
    readonly record: { readonly id: string; readonly replay: object };
  };
  program.kill("SIGTERM");
  await program.exited();
  const why = "9 earlier messages since the checkpoint are not kept";
  const from = `${why}: the replay begins with the state at the crash`;
  assert.deepEqual([told.id, told.record.id], [full, full]);
  assert.deepEqual(told.record.replay, { holds: false, reasons: [from], from: "crash" });
  const replay = async (id: string) =>
    await runProgram(
      process.execPath,
      [binary, "sim", path, "--crash", `agentrt_crashes/${id}.json`, "--json"],
      options,
    );
  const again = await replay(full);
  assert.equal(again.code, 0, again.stdout + again.stderr);
  const chance = await replay(drawn);
  assert.equal(chance.code, 1, chance.stdout);
  assert.match(chance.stdout, /it draws by chance \(Math\.random, crypto\), which is not recorded/);
  folder.write({ "agents.ts": changing.replace('payload["isLast"] === true', "false") });
  const mended = await replay(full);
  assert.equal(mended.code, 1, mended.stdout);
  const { found, reasons } = JSON.parse(mended.stdout) as {
    readonly found: null;
    readonly reasons: string[];
  };
  assert.deepEqual([found, reasons.includes("agents.ts has changed since")], [null, true]);
});

test("crash list and crash show say what is there, and what is not", async () => {
  using folder = createTemporaryFolder({ "agentrt_crashes/mi9y4kq2-3f9a.json": "[]" });
  const run = async (...words: readonly string[]) =>
    await agentrt(words, { directory: folder.path });
  const listed = await run("crash", "list");
  assert.deepEqual([listed.exitCode, listed.stdout], [0, ""]);
  assert.match(listed.stderr, /warning: Cannot read the crash record .*mi9y4kq2-3f9a\.json/);
  const broken = await run("crash", "show");
  assert.equal(broken.exitCode, 1);
  for (const id of ["mi9y4kq2-0000", "../../etc/passwd"]) {
    const missing = await run("crash", "show", id);
    assert.equal(missing.exitCode, 1);
    assert.match(missing.stderr, /AGENTRT_CRASH_UNKNOWN/);
  }
  const none = await run("crash", "list", "--folder", "nowhere", "--json");
  assert.deepEqual((JSON.parse(none.stdout) as { readonly crashes: object[] }).crashes, []);
});
