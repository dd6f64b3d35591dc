/** Records of crashes as operators find them: of earlier runs, of agents on workers, and without what must not be seen. */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  startProgram,
} from "testkit";
import { agentrt } from "./test-support/agentrt.ts";

const binary = agentrtLauncher();
type Json = { readonly [name: string]: unknown };

async function baseOf(program: Program, name: string): Promise<string> {
  const [, base = ""] = await program.waitFor(new RegExp(`^${name}\\S* listens on (\\S+)`, "m"));
  return base;
}

async function get(url: string): Promise<Json> {
  const response = await fetch(url);
  const text = await response.text();
  assert.equal(response.status, 200, `${url}: ${text}`);
  return JSON.parse(text) as Json;
}

async function crash(program: Program, agent: string, payload: Json): Promise<string> {
  const response = await fetch(`${await baseOf(program, "api")}/agents/${agent}/cast`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(payload),
  });
  assert.ok(response.ok, await response.text());
  const [, id = ""] = await program.waitFor(
    new RegExp(`crash recorded agent=${agent}\\S* crash=(\\S+)`),
  );
  return id;
}

async function stop(program: Program): Promise<void> {
  program.kill("SIGTERM");
  await program.exited();
}

test("crashes of earlier runs are at the control plane, without secrets and without what it redacts", async () => {
  const [pin, password] = ["a-pin-0815-4711", "plain-words-as-secret"];
  using folder = createTemporaryFolder({
    "agents.ts": `
import { Agent, type Message } from "agentrt";
export class Till extends Agent {
  override state = { iban: "DE02", sum: 0 };
  async handle({ payload }: Message) {
    await this.checkpoint();
    throw new RangeError("refused " + process.env.SHOP_PIN + " and " + String(payload["password"]), {
      cause: new Error("because of " + String(payload["password"])),
    });
  }
}
`,
    "model.ts": `
import { type ModelProvider, modelReply, type ModelRequest } from "agentrt";
export class Model implements ModelProvider {
  async chat({ model }: ModelRequest) { return modelReply({ model, content: "yes", tokensIn: 1, tokensOut: 1 }); }
}
`,
    "topology.yaml": `plugins: { models: [{ name: main, type: model.Model }] }
supervision:
  name: root
  children:
    - { name: till, type: agents.Till, credentials: { main: SHOP_PIN } }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: 0, redact: [iban, card] } }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: 0 } }
`,
  });
  const start = (): Program =>
    startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
      environment: { SHOP_PIN: pin },
    });
  const assertShown = (body: object): void => {
    const text = JSON.stringify(body);
    for (const secret of [pin, password]) assert.ok(!text.includes(secret), text);
  };
  const assertRecord = (found: Json): void => {
    assertShown(found);
    const record = found["record"] as {
      readonly state: Json;
      readonly message: { readonly payload: Json };
      readonly checkpoint: { readonly after: { readonly state: Json } };
    };
    assert.deepEqual(record.state, { iban: "***", sum: 0 });
    assert.deepEqual(record.checkpoint.after.state, { iban: "***", sum: 0 });
    const { card, amount } = record.message.payload;
    assert.deepEqual([card, amount], ["***", 5]);
  };
  let id: string;
  {
    await using program = start();
    await program.waitFor(/started; /);
    id = await crash(program, "till", { card: "4111", amount: 5, password });
    const control = await baseOf(program, "control");
    const body = await get(`${control}/crashes`);
    assert.deepEqual(
      (body["crashes"] as Json[]).map((each) => each["id"]),
      [id],
    );
    assertShown(body);
    assertRecord(await get(`${control}/crashes/${id}`));
    assertShown(await get(`${control}/agents/till`));
    assertShown(await get(`${control}/agents/till/history`));
    assert.ok(!program.output.includes(pin));
    await stop(program);
  }
  await using program = start();
  await program.waitFor(/started; /);
  const control = await baseOf(program, "control");
  const before = (await get(`${control}/crashes`))["crashes"] as Json[];
  const [earlier = {}] = before;
  assert.deepEqual(
    [before.length, earlier["id"], earlier["agent"], earlier["reason"]],
    [1, id, "till", "RangeError"],
  );
  const second = await crash(program, "till", { card: "4111", amount: 5 });
  const after = (await get(`${control}/crashes`))["crashes"] as Json[];
  assert.deepEqual(
    after.map((each) => each["id"]),
    [id, second],
  );
  const found = await get(`${control}/crashes/${id}`);
  assertRecord(found);
  const { name, causes, at } = found["error"] as Json;
  assert.deepEqual([name, (causes as Json[]).length], ["RangeError", 1]);
  assert.match(String(at), /^agents\.ts:7:/);
  assert.equal((found["message_at_hand"] as Json)["type"], "http.request");
  await stop(program);
});

const workerAgents = `
import { Agent, type Message } from "agentrt";
export class Desk extends Agent {
  override state = { iban: "DE02", seen: 0 };
  async handle({ payload }: Message) {
    this.state.seen += 1;
    if (payload["say"] === "crash") throw new RangeError("the desk broke " + String(payload["password"]), {
      cause: new Error("because of " + String(payload["password"])),
    });
    return { seen: this.state.seen };
  }
}
`;

test("records of agents on workers are found at the supervisor, and repeated", async () => {
  const [pub, sub] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": workerAgents,
    "topology.yaml": `transport: { type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }
plugins: { state: { type: sqlite } }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - { name: desk, type: agents.Desk, process: back }
    - { name: ticket, type: keyed, class: agents.Desk, key: ticket, process: back }
    - { name: crew, type: pool, class: agents.Desk, size: 2, process: store }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: 0, redact: [iban] } }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: 0 } }
`,
  });
  await using program = startProgram(process.execPath, [binary, "run", "--spawn-workers"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started; /);
  const control = await baseOf(program, "control");
  const present = async (): Promise<boolean> =>
    ((await get(`${control}/processes`))["processes"] as Json[]).length === 3;
  while (!(await present())) await new Promise(setImmediate);
  for (const agent of ["desk", "ticket", "crew"]) {
    const id = await crash(program, agent, {
      say: "crash",
      ticket: "4711",
      password: "plain-words",
    });
    const listed = (): Promise<Json[]> =>
      get(`${control}/crashes`).then((body) => body["crashes"] as Json[]);
    const isThere = async (): Promise<boolean> =>
      (await listed()).some((each) => each["id"] === id);
    while (!(await isThere())) await new Promise(setImmediate);
    assert.ok(!JSON.stringify(await listed()).includes("plain-words"));
    const found = await get(`${control}/crashes/${id}`);
    const record = found["record"] as { readonly id: string; readonly state: Json };
    assert.deepEqual([record.id, record.state], [id, { iban: "***", seen: 1 }]);
    assert.ok(!JSON.stringify(found).includes("plain-words"));
    const directory = folder.path;
    const shown = await agentrt(["crash", "show", id], { directory });
    assert.equal(shown.exitCode, 0, shown.stderr);
    const [, line = ""] = /^repeat it: agentrt (.*)$/m.exec(shown.stdout) ?? [];
    const replayed = await runProgram(process.execPath, [binary, ...line.split(" ")], {
      workingDirectory: directory,
    });
    assert.equal(replayed.code, 0, `${shown.stdout}\n${replayed.stdout}${replayed.stderr}`);
  }
  await stop(program);
});

test("a record that only its worker has is at the supervisor while that worker is there", async () => {
  const [pub, sub] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": workerAgents,
    "topology.yaml": `transport: { type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }
supervision:
  name: root
  backoff_base: 0.01
  children:
    - { name: desk, type: agents.Desk, process: back }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: 0, redact: [iban] } }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: 0 } }
`,
  });
  const run = (...words: readonly string[]): Program =>
    startProgram(process.execPath, [binary, "run", ...words], { workingDirectory: folder.path });
  await using program = run("--crashes", "none");
  await using worker = run("--process", "back", "--crashes", join(folder.path, "there"));
  await worker.waitFor(/started; /);
  await program.waitFor(/started; /);
  const control = await baseOf(program, "control");
  const processes = async (): Promise<number> =>
    ((await get(`${control}/processes`))["processes"] as Json[]).length;
  while ((await processes()) < 2) await new Promise(setImmediate);
  const api = await baseOf(program, "api");
  await fetch(`${api}/agents/desk/cast`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ say: "crash", password: "plain-words" }),
  });
  const [, id = ""] = await worker.waitFor(/crash recorded agent=desk crash=(\S+)/);
  const { record } = await get(`${control}/crashes/${id}`);
  assert.deepEqual((record as Json)["state"], { iban: "***", seen: 1 });
  const isTold = async (): Promise<boolean> =>
    JSON.stringify(await get(`${control}/agents/desk/history`)).includes(id);
  while (!(await isTold())) await new Promise(setImmediate);
  await stop(worker);
  // What came over when it crashed is all that is known now.
  while ((await processes()) > 1) await new Promise(setImmediate);
  for (const path of [`crashes/${id}`, "crashes", "agents/desk", "agents/desk/history"]) {
    const text = JSON.stringify(await get(`${control}/${path}`));
    assert.ok(!text.includes("plain-words"), `${path}: ${text}`);
    // The end of the worker may be the last crash of the agent.
    if (path !== "agents/desk") assert.match(text, /the desk broke <secret-1>/, path);
  }
  const { error, record: gone } = await get(`${control}/crashes/${id}`);
  const [cause] = (error as { readonly causes: readonly Json[] }).causes;
  assert.deepEqual([gone, cause?.["message"]], [null, "because of <secret-1>"]);
  await stop(program);
});

test("a pool at a worker that gives up is told at the supervisor without the key that only the worker knows", async () => {
  const key = "round-kettle-2718";
  const [pub, sub] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": `
import { Agent } from "agentrt";
let startCount = 0;
export class Desk extends Agent {
  override onStart() {
    startCount += 1;
    if (startCount > 1) throw new Error("401 for key " + process.env.DESK_API_KEY, {
      cause: new Error("refused " + process.env.DESK_API_KEY),
    });
  }
  handle() {
    throw new RangeError("the desk broke");
  }
}
`,
    "topology.yaml": `transport: { type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 2
  children:
    - { name: crew, type: pool, class: agents.Desk, size: 1, max_restarts: 2, process: back }
    - { name: control, type: topology_server, config: { host: 127.0.0.1, port: 0 } }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: 0 } }
`,
  });
  const run = (environment: Record<string, string>, ...words: readonly string[]): Program =>
    startProgram(process.execPath, [binary, "run", ...words], {
      workingDirectory: folder.path,
      environment,
    });
  await using program = run({});
  await using worker = run({ DESK_API_KEY: key }, "--process", "back", "--crashes", "none");
  await worker.waitFor(/started; /);
  await program.waitFor(/started; /);
  const control = await baseOf(program, "control");
  while (((await get(`${control}/processes`))["processes"] as Json[]).length < 2)
    await new Promise(setImmediate);
  await fetch(`${await baseOf(program, "api")}/agents/crew/cast`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  await program.waitFor(/crew.*401 for key \S+"/);
  await stop(worker);
  await stop(program);
  assert.ok(!program.output.includes(key), program.output);
});
