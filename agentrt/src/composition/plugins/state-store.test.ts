/** `plugins.state`: what validation says of it, and the store that comes of it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { createTextLog } from "../../core/index.ts";
import { SqliteStateStore } from "../../state/index.ts";
import { findUnservedKeys, parseTopology } from "../../topology/index.ts";
import { nodeKinds } from "../../node-kinds/index.ts";
import { Runtime } from "../runtime.ts";

function topologyText(state: string): string {
  return `plugins:
  state: ${state}
supervision: { name: root, children: [{ agent: { name: keeper, type: agents.Keeper } }] }
`;
}

function parse(state: string) {
  return parseTopology(topologyText(state), { fileName: "t.yaml", kinds: nodeKinds });
}

test("every documented setting of the state stores is valid and served", () => {
  for (const state of [
    "{ type: in_memory }",
    "{ type: in_memory, config: {} }",
    "{ type: sqlite }",
    "{ type: sqlite, config: { db_path: x.db, durability: strict } }",
    "{ type: sqlite, config: { durability: NORMAL } }",
    "{ type: postgres, config: { url: 'postgresql://u:p@h:1/d', min_size: 0, max_size: 1, timeout: 0.5 } }",
    "{ type: encrypted, config: { store: { type: sqlite } } }",
    "{ type: encrypted, config: { store: { type: my.Store, config: { any: 1 } }, key_env: A, current_key_id: 4 } }",
    "{ type: encrypted, config: { store: { type: sqlite, config: { db_path: x } }, allow_plaintext_read: true, current_key_id: 2, keys: { '1': A, '2': B } } }",
    "{ type: stores.Remote, config: { any: [thing] } }",
    "{ type: './stores.ts#Remote' }",
  ]) {
    const { topology, problems, notes } = parse(state);
    assert.deepEqual([problems, notes], [[], []], state);
    assert.ok(topology);
    assert.deepEqual(findUnservedKeys(topology), []);
  }
});

test("a wrong setting of a state store is named with its place, and a secret is never repeated", () => {
  for (const [state, found, message] of [
    ["{ type: sqlite, config: { durability: fast } }", "fast", /wanted one of normal, strict/],
    ["{ type: postgres }", "type: ", /plugins\.state\.config\.url: missing: it must be a URL/],
    ["{ type: postgres, config: { url: 'hidden-4711@x' } }", "'hidden", /wanted a URL such as/],
    [
      "{ type: postgres, config: { url: 'postgres://h', min_size: 3, max_size: 2 } }",
      "3",
      /at most max_size/,
    ],
    ["{ type: postgres, config: { url: 'postgres://h', timeout: 0 } }", "0 }", /seconds above 0/],
    [
      "{ type: postgres, config: { url: 'postgres://h', size: 1 } }",
      "size: 1",
      /unknown key "size"/,
    ],
    ["{ type: encrypted }", "type: ", /config\.store: missing/],
    [
      "{ type: encrypted, config: { store: { type: sqlite, config: { pth: x } } } }",
      "pth: x",
      /config\.store\.config\.pth: unknown key "pth"/,
    ],
    [
      "{ type: encrypted, config: { store: { type: 'no class path' } } }",
      "'no class",
      /wanted one of in_memory, sqlite, postgres, nats_kv, encrypted/,
    ],
    [
      "{ type: encrypted, config: { store: { type: sqlite }, key_env: 'hidden-4711=' } }",
      "'hidden",
      /name of an environment variable/,
    ],
    [
      "{ type: encrypted, config: { store: { type: sqlite }, keys: { '1': 'hidden-4711=' } } }",
      "{ '",
      /mapping from key ids/,
    ],
    [
      "{ type: encrypted, config: { store: { type: sqlite }, keys: { '256': A } } }",
      "{ '",
      /0 to 255/,
    ],
    [
      "{ type: encrypted, config: { store: { type: sqlite }, keys: { '1': A, '2': B } } }",
      "{ store:",
      /current_key_id: missing: it must be one of the ids of keys: 1, 2/,
    ],
    [
      "{ type: encrypted, config: { store: { type: sqlite }, keys: { '1': A }, current_key_id: 2 } }",
      "2 }",
      /wanted one of the ids of keys: 1/,
    ],
    [
      "{ type: encrypted, config: { store: { type: sqlite }, keys: { '1': A }, key_env: B } }",
      "B }",
      /either keys or key_env/,
    ],
    [
      "{ type: '../out.ts#Store' }",
      "'../out",
      /wanted one of in_memory, sqlite, postgres, nats_kv, encrypted, or a class path/,
    ],
  ] as const) {
    const { problems } = parse(state);
    assert.equal(problems.length, 1, state);
    const [problem] = problems;
    const place = topologyText(state).split("\n")[(problem?.line1 ?? 1) - 1];
    assert.equal(place?.slice((problem?.column1 ?? 1) - 1).startsWith(found), true, state);
    assert.match(`${problem?.path}: ${problem?.message}`, message);
    assert.ok(!JSON.stringify(problem).includes("4711"));
  }
});

test("validation notes what does less than it seems to", () => {
  const memory = parse("{ type: encrypted, config: { store: { type: in_memory } } }");
  assert.match(memory.notes[0]?.message ?? "", /kept in memory/);
  const near = parse("{ type: sqllite }");
  assert.match(near.notes[0]?.message ?? "", /not built in.*did you mean "sqlite"/);
  assert.equal(near.notes[0]?.nearest, "sqlite");
});

const agents = `
import { Agent } from "agentrt";
export class Keeper extends Agent {
  override async handle(message) {
    if (message.payload.set !== undefined) { this.state.kept = message.payload.set; await this.checkpoint(); }
    return { kept: this.state.kept ?? null };
  }
}
`;
const stores = `
export class Recording {
  states = new Map();
  constructor(config) { this.config = config; globalThis[Symbol.for("agentrt-test-store")] = this; }
  async get(agent) { return this.states.get(agent); }
  async set(agent, state) { this.states.set(agent, structuredClone(state)); }
  async delete(agent) { this.states.delete(agent); }
  async listAgents() { return [...this.states.keys()].sort(); }
  async close() { this.isClosed = true; }
}
export class Nulls extends Recording {
  async get(agent) { return this.states.get(agent) ?? null; }
}
export class Half { get() {} set() {} delete() {} }
export class Throwing { constructor() { throw new Error("no such bucket"); } }
export const noClass = 1;
`;

interface Recording {
  readonly config: unknown;
  readonly states: ReadonlyMap<string, { readonly [key: string]: unknown }>;
  readonly isClosed?: boolean;
}

const silent = createTextLog({ write: () => undefined });

test("a user's store is given its config, keeps the states, and is closed with the runtime", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "stores.ts": stores,
    "topology.yaml": topologyText("{ type: stores.Recording, config: { bucket: b1 } }"),
  });
  const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), { log: silent });
  await runtime.start();
  await runtime.call("keeper", { set: 7 });
  await runtime.stop();
  const store = Reflect.get(globalThis, Symbol.for("agentrt-test-store")) as Recording;
  Reflect.deleteProperty(globalThis, Symbol.for("agentrt-test-store"));
  assert.deepEqual({ ...(store.config as object) }, { bucket: "b1" });
  assert.deepEqual(store.states.get("keeper"), { kept: 7 });
  assert.equal(store.isClosed, true);
});

test("a user's store may say null where nothing is saved, encrypted or not", async () => {
  const variable = "AGENTRT_TEST_STATE_KEY";
  process.env[variable] = randomBytes(32).toString("base64");
  try {
    for (const state of [
      "{ type: stores.Nulls }",
      `{ type: encrypted, config: { key_env: ${variable}, store: { type: stores.Nulls } } }`,
    ]) {
      using folder = createTemporaryFolder({
        "agents.ts": agents,
        "stores.ts": stores,
        "topology.yaml": topologyText(state),
      });
      const path = join(folder.path, "topology.yaml");
      await using runtime = await Runtime.fromTopology(path, { log: silent });
      await runtime.start();
      assert.deepEqual(await runtime.call("keeper", {}), { kept: null });
      await runtime.suspend("keeper", { reason: "first" });
      await runtime.resume("keeper", { approver: "ada" });
    }
  } finally {
    Reflect.deleteProperty(process.env, variable);
    Reflect.deleteProperty(globalThis, Symbol.for("agentrt-test-store"));
  }
});

test("an installed package goes before a built-in store of its name, and the log says so", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topologyText("{ type: sqlite }"),
    "package.json": JSON.stringify({ name: "app", dependencies: { theirs: "*" } }),
    "node_modules/theirs/package.json": JSON.stringify({
      name: "theirs",
      type: "module",
      agentrt: { state: { sqlite: "./store.js#Recording" } },
    }),
    "node_modules/theirs/store.js": stores,
  });
  const lines: string[] = [];
  const log = createTextLog({ write: (line) => void lines.push(line) });
  const runtime = await Runtime.fromTopology(join(folder.path, "topology.yaml"), { log });
  await runtime.start();
  await runtime.call("keeper", { set: 8 });
  await runtime.stop();
  const store = Reflect.get(globalThis, Symbol.for("agentrt-test-store")) as Recording;
  Reflect.deleteProperty(globalThis, Symbol.for("agentrt-test-store"));
  assert.deepEqual(store.states.get("keeper"), { kept: 8 });
  assert.match(lines.join(""), /state store .*sqlite.* is that of an installed package/);
});

test("a store that cannot be used is refused with its place in the file", async () => {
  for (const [type, code, message] of [
    ["stores.Half", "AGENTRT_COMPOSITION_NOT_A_STATE_STORE", /2:10.*no method listAgents, close$/],
    [
      "stores.Throwing",
      "AGENTRT_COMPOSITION_STATE_STORE_FAILED",
      /2:10.*no such bucket, at .*stores\.ts:\d+:\d+$/,
    ],
    ["stores.noClass", "AGENTRT_COMPOSITION_CLASS_NOT_LOADED", /2:10.*wanted a class/],
    ["stores.None", "AGENTRT_COMPOSITION_CLASS_NOT_LOADED", /2:10.*no export "None"/],
    ["mysql", "AGENTRT_COMPOSITION_CLASS_NOT_LOADED", /2:10.*"mysql"/],
  ] as const) {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "stores.ts": stores,
      "topology.yaml": topologyText(`{ type: '${type}' }`),
    });
    const path = join(folder.path, "topology.yaml");
    await assert.rejects(Runtime.fromTopology(path, { log: silent }), { code, message });
  }
});

test("an encrypted sqlite store from a file keeps states that only the key opens", async () => {
  const variable = "AGENTRT_TEST_STATE_KEY";
  using folder = createTemporaryFolder({ "agents.ts": agents });
  const path = join(folder.path, "topology.yaml");
  const database = join(folder.path, "state.db");
  const store = `store: { type: sqlite, config: { db_path: ${JSON.stringify(database)} } }`;
  folder.write({
    "topology.yaml": topologyText(
      `{ type: encrypted, config: { key_env: ${variable}, ${store} } }`,
    ),
  });
  await assert.rejects(Runtime.fromTopology(path, { log: silent }), {
    code: "AGENTRT_STATE_KEY_INVALID",
    message: /AGENTRT_TEST_STATE_KEY: it is not set/,
  });
  assert.ok(!existsSync(database), "a store was made before its keys were read");
  process.env[variable] = randomBytes(32).toString("base64");
  try {
    for (const wanted of [null, "secret-4711"]) {
      await using runtime = await Runtime.fromTopology(path, { log: silent });
      await runtime.start();
      assert.deepEqual(await runtime.call("keeper", {}), { kept: wanted });
      await runtime.call("keeper", { set: "secret-4711" });
    }
    process.env[variable] = randomBytes(32).toString("base64");
    await using runtime = await Runtime.fromTopology(path, { log: silent });
    await assert.rejects(runtime.start(), { code: "AGENTRT_SUPERVISION_START_FAILED" });
  } finally {
    Reflect.deleteProperty(process.env, variable);
  }
  const inner = new SqliteStateStore({ path: database });
  const saved = await inner.get("keeper");
  assert.deepEqual(Object.keys(saved ?? {}), ["__agentrt_enc__"]);
  assert.ok(!JSON.stringify(saved).includes("4711"));
  await inner.close();
});
