import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, freePort, RawHttpClient } from "testkit";
import { Agent, createTextLog, type JsonObject, type Message } from "../../core/index.ts";
import type { ListeningAddress } from "../../gateway/index.ts";
import { Runtime } from "../runtime.ts";

/** Says which object answers, and counts in its state. */
class Desk extends Agent<{ count: number }> {
  static lives = 0;
  static gates = new Map<string, Promise<void>>();
  override state = { count: 0 };
  readonly life: number = (Desk.lives += 1);

  override onStart(): void {
    if (this.config["fails"] === true) throw new Error("the till is locked");
  }

  override async handle(message: Message): Promise<JsonObject> {
    const { gate, spawn } = message.payload;
    if (typeof spawn === "string") await this.spawn(Desk, spawn);
    if (typeof gate === "string") await Desk.gates.get(gate);
    this.state.count += 1;
    return { life: this.life, count: this.state.count, by: this.config["by"] ?? null };
  }
}

const log = createTextLog({ write: () => undefined });

interface Setup extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly told: ListeningAddress[];
}

async function run(text: string): Promise<Setup> {
  const folder = createTemporaryFolder({ "topology.yaml": text });
  const told: ListeningAddress[] = [];
  const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), {
    log,
    typeMap: { Desk, Other: class Other extends Desk {} },
    onListening: (address) => void told.push(address),
  });
  await runtime.start();
  return {
    runtime,
    told,
    async [Symbol.asyncDispose]() {
      await runtime.stop();
      folder[Symbol.dispose]();
    },
  };
}

const tree = (children: string, more = ""): string => `supervision:
  name: root
  backoff_base: 0
  children:
${children.replaceAll(/^/gm, "    ")}
${more}`;

const files = (text: string) => ({ files: [{ fileName: "next.yaml", text }] as const });

test("a plan says what stops, starts, restarts, moves and runs on by other settings, and what is under way there", async () => {
  await using setup = await run(
    tree(`- agent: { name: a, type: Desk, config: { by: old } }
- agent: { name: b, type: Desk }
- agent: { name: c, type: Desk }
- supervisor: { name: s, children: [{ agent: { name: m, type: Desk } }] }
- { type: dynamic_supervisor, name: d }`),
  );
  const { runtime } = setup;
  await runtime.call("a", { spawn: "child-1" });
  const opened = Promise.withResolvers<void>();
  Desk.gates.set("gate", opened.promise);
  const calls = [1, 2, 3].map(() => runtime.call("b", { gate: "gate" }));
  await runtime.call("a", {});
  const next = tree(`- agent: { name: a, type: Other, config: { by: new } }
- agent: { name: c, type: Desk }
- agent: { name: m, type: Desk }
- supervisor:
    name: s
    strategy: ONE_FOR_ALL
    children: [{ agent: { name: n, type: Desk } }, { agent: { name: o, type: Desk } }]`);
  const plan = runtime.plan(files(next));
  opened.resolve();
  await Promise.all(calls);
  const acts = plan.nodes.map(({ act, name }) => `${act} ${name}`);
  assert.deepEqual(acts, [
    "stop d",
    "stop b",
    "keep root",
    "restart a",
    "keep c",
    "move m",
    "change s",
    "start n",
    "start o",
  ]);
  const of = (name: string) => plan.nodes.find((node) => node.name === name);
  assert.deepEqual([of("b")?.atHandCount, of("b")?.waitingCount], [1, 2]);
  assert.deepEqual(of("d")?.childNames, ["child-1"]);
  assert.equal(of("m")?.movedFrom, "s");
  assert.deepEqual(of("n")?.crashRestarts, ["o"]);
  assert.match(
    of("a")?.because.join("\n") ?? "",
    /type: Desk -> Other[^]*by: old -> new[^]*not read again/,
  );
  assert.match(of("s")?.because.join("\n") ?? "", /strategy/);
  assert.equal(plan.isChange, true);
  // Nothing has happened.
  assert.deepEqual(runtime.applyState, { status: "none" });
});

const gateway = (name: string, port: number, agent = "a"): string =>
  `- { name: ${name}, type: http_gateway, config: { host: 127.0.0.1, port: ${port}, routes: [{ method: GET, path: /ask, agent: ${agent} }] } }`;

async function ask(client: RawHttpClient, request = "GET /ask"): Promise<JsonObject> {
  client.send(`${request} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const response = await client.response();
  return { status: response?.status ?? 0, ...(JSON.parse(response?.body ?? "{}") as JsonObject) };
}

test("a gateway that is kept keeps its socket and its connections; one whose port changes listens there; ports can be swapped", async () => {
  const [one, two, three] = [await freePort(), await freePort(), await freePort()];
  const agents = `- agent: { name: a, type: Desk, config: { by: old } }`;
  await using setup = await run(tree(`${agents}\n${gateway("kept", one)}\n${gateway("g", two)}`));
  const { runtime, told } = setup;
  await using kept = await RawHttpClient.open(one);
  const { life } = await ask(kept);
  const next = `- agent: { name: a, type: Desk, config: { by: new } }\n- agent: { name: n, type: Desk }`;
  await runtime.apply(files(tree(`${next}\n${gateway("kept", one)}\n${gateway("g", three, "n")}`)));
  // The same connection, another agent behind it, with the state that it had.
  const answered = await ask(kept);
  assert.notEqual(answered["life"], life);
  assert.deepEqual([answered["by"], answered["count"]], ["new", 2]);
  await using moved = await RawHttpClient.open(three);
  assert.equal((await ask(moved))["count"], 1);
  await assert.rejects(RawHttpClient.open(two));
  assert.deepEqual(
    told.map(({ node, port }) => [node, port]),
    [
      ["kept", one],
      ["g", two],
      ["g", three],
    ],
  );
  await runtime.apply(files(tree(`${next}\n${gateway("kept", three)}\n${gateway("g", one, "n")}`)));
  await using swapped = await RawHttpClient.open(one);
  assert.equal((await ask(swapped))["count"], 2);
  await using other = await RawHttpClient.open(three);
  assert.equal((await ask(other))["count"], 3);
  assert.equal((await ask(other, "GET /nothing"))["status"], 404);
});

test("a file that cannot be applied changes nothing: no right file, another store, a class that is missing, a start that fails", async () => {
  const port = await freePort();
  const before = tree(`- agent: { name: a, type: Desk }\n${gateway("g", port)}`);
  await using setup = await run(before);
  const { runtime } = setup;
  const first = await runtime.call("a", {});
  const pictures = JSON.stringify(
    runtime.tree().children.map(({ name, status }) => [name, status]),
  );
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["supervision: {", "AGENTRT_TOPOLOGY_INVALID", /next\.yaml:1:/],
    [
      tree(
        `- agent: { name: a, type: Desk }`,
        "plugins: { state: { type: sqlite, config: { db_path: ':memory:' } } }\n",
      ),
      "AGENTRT_APPLY_NEEDS_RESTART",
      /plugins: state/,
    ],
    [
      before.replace("name: root", "name: trunk"),
      "AGENTRT_APPLY_NEEDS_RESTART",
      /"trunk", not "root"/,
    ],
    [
      tree(`- agent: { name: a, type: Desk }\n- agent: { name: n, type: Nobody }`),
      "AGENTRT_COMPOSITION_CLASS_NOT_LOADED",
      /next\.yaml:6:14/,
    ],
    [
      tree(
        `- agent: { name: n, type: Desk }\n- agent: { name: a, type: Desk, config: { fails: true } }`,
      ),
      "AGENTRT_CHANGE_START_FAILED",
      /"a" did not start, and all is as it was before: the till is locked/,
    ],
    [
      tree(
        `- agent: { name: a, type: Desk }\n${gateway("g", port)}\n${gateway("h", port + 1, "a").replace("127.0.0.1", "198.51.100.7")}`,
      ),
      "AGENTRT_CHANGE_START_FAILED",
      /"h" did not start/,
    ],
  ];
  for (const [text, code, message] of cases) {
    await assert.rejects(runtime.apply(files(text)), { code, message }, text);
    assert.equal(
      JSON.stringify(runtime.tree().children.map(({ name, status }) => [name, status])),
      pictures,
    );
  }
  const second = await runtime.call("a", {});
  assert.equal(second["count"], Number(first["count"]) + 1);
  assert.equal(runtime.applyState.status, "failed");
  await using client = await RawHttpClient.open(port);
  assert.equal((await ask(client))["status"], 200);
  const nothing = await runtime.apply(files(before));
  assert.equal(nothing.plan.isChange, false);
});

test("two files at once: one is applied, the other refused; a tree that a program changed has no file", async () => {
  await using setup = await run(tree(`- agent: { name: a, type: Desk }`));
  const { runtime } = setup;
  const next = files(tree(`- agent: { name: a, type: Desk, config: { by: x } }`));
  const results = await Promise.allSettled([runtime.apply(next), runtime.apply(next)]);
  assert.deepEqual(
    results.map((result) =>
      result.status === "fulfilled" ? "applied" : (result.reason as { code: string }).code,
    ),
    ["applied", "AGENTRT_APPLY_BUSY"],
  );
  assert.equal((await runtime.call("a", {}))["by"], "x");
  await runtime.change({ supervision: runtime.description, changed: new Set() });
  assert.throws(() => runtime.plan(next), { code: "AGENTRT_APPLY_NO_TOPOLOGY" });
});

test("models change while agents run: those that are described as before keep their connections", async () => {
  const models = (lines: string): string =>
    `plugins:\n  models:\n${lines.replaceAll(/^/gm, "    ")}\n`;
  const one = `- { type: openai, name: one, config: { api_key_env: PATH, default_model: m, base_url: "http://127.0.0.1:1" } }`;
  const two = one.replace("one", "two");
  await using setup = await run(tree(`- agent: { name: a, type: Desk }`, models(one)));
  const { runtime } = setup;
  const { life } = await runtime.call("a", {});
  const { plan } = await runtime.apply(
    files(tree(`- agent: { name: a, type: Desk }`, models(`${two}\n${one}`))),
  );
  assert.deepEqual(plan.parts, [{ kind: "model", name: "two", act: "open" }]);
  assert.equal((await runtime.call("a", {}))["life"], life);
});
