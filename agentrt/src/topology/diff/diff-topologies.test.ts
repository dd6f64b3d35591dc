import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeKinds } from "../../node-kinds/index.ts";
import {
  countDifferences,
  type Difference,
  diffTopologies,
  parseTopology,
  renderDifference,
  type Topology,
} from "../index.ts";

function read(text: string): Topology {
  const { topology, problems } = parseTopology(text, { fileName: "t.yaml", kinds: nodeKinds });
  assert.deepEqual(problems, []);
  assert.ok(topology);
  return topology;
}

function diff(before: string, after: string): readonly Difference[] {
  return diffTopologies(read(before), read(after), nodeKinds);
}

/** A tree whose root has the given children, and what stands beside the tree. */
function file(children: readonly string[], rest = "", root = "root"): string {
  return `${rest}\nsupervision:\n  name: ${root}\n  children:\n${children.map((child) => `    - ${child}\n`).join("")}`;
}

const a = "agent: { name: a, type: agents.A }";
const b = "agent: { name: b, type: agents.B }";
const c = "agent: { name: c, type: agents.C }";
const inner = (children: readonly string[], more = "") =>
  `supervisor: { name: inner${more}, children: [${children.map((child) => `{ ${child} }`).join(", ")}] }`;
const web = (config: string) => `{ name: web, type: http_gateway, config: { port: 0, ${config} } }`;

type Row = readonly [name: string, before: string, after: string, wanted: readonly string[]];

const rows: readonly Row[] = [
  ["an added agent", file([a]), file([a, b]), ["+ b  agents.B  (in root)"]],
  ["a removed agent", file([a, b]), file([b]), ["- a  agents.A  (in root)"]],
  [
    "a removed supervisor with all below it",
    file([a, inner([b, inner([c]).replace("inner", "deep")])]),
    file([a]),
    [
      "- inner  supervisor ONE_FOR_ONE  (in root)",
      "- b  agents.B  (in inner)",
      "- deep  supervisor ONE_FOR_ONE  (in inner)",
      "- c  agents.C  (in deep)",
    ],
  ],
  [
    "a supervisor taken out around its children",
    file([inner([a, b])]),
    file([a, b]),
    [
      "~ a  moved: inner -> root",
      "~ b  moved: inner -> root",
      "- inner  supervisor ONE_FOR_ONE  (in root)",
    ],
  ],
  [
    "an agent that moved and changed",
    file([a, inner([b])]),
    file([inner([b, "agent: { name: a, type: agents.Other }"])]),
    ["~ a  moved: root -> inner", "~ a  type: agents.A -> agents.Other"],
  ],
  [
    "the order of children",
    file([a, b, c]),
    file([a, c, b]),
    ["~ root  order of children: b, c -> c, b"],
  ],
  ["order beside an addition", file([a, c]), file([b, a, c]), ["+ b  agents.B  (in root)"]],
  ["a renamed root", file([a]), file([a], "", "main"), ["~ main  name: root -> main"]],
  [
    "a root below a new one",
    file([a], "", "main"),
    file(["supervisor: { name: main, children: [{ agent: { name: a, type: agents.A } }] }"]),
    ["+ root  supervisor ONE_FOR_ONE", "~ main  moved: top of the tree -> root"],
  ],
  [
    "a root renamed to a name that a child had",
    file([a, inner([b])]),
    file([a, b], "", "inner"),
    [
      "~ inner  moved: root -> top of the tree",
      "~ a  moved: root -> inner",
      "- root  supervisor ONE_FOR_ONE",
    ],
  ],
  [
    "every setting of a supervisor",
    file([inner([a])]),
    file([
      inner(
        [a],
        ", strategy: rest_for_one, max_restarts: 5, restart_window: 1.5, backoff: linear, backoff_base: 0.1, backoff_max: 9",
      ),
    ]),
    [
      "~ inner  strategy: ONE_FOR_ONE -> REST_FOR_ONE",
      "~ inner  max_restarts: 3 -> 5",
      "~ inner  restart_window: 60 -> 1.5",
      "~ inner  backoff: CONSTANT -> LINEAR",
      "~ inner  backoff_base: 1 -> 0.1",
      "~ inner  backoff_max: 60 -> 9",
    ],
  ],
  [
    "every setting of an agent, those not served too",
    file([a], "plugins: { models: [{ type: t.M, name: m }] }"),
    file(
      [
        "agent: { name: a, type: agents.A, process: w, config: { n: 1, deep: { k: v } }, handle_timeout: 2, capabilities: [x], capability_metadata: { l: 1 }, credentials: { m: k }, public_key: AA }",
      ],
      "plugins: { models: [{ type: t.M, name: m }] }",
    ),
    [
      "+ a  process: w",
      "+ a  config.n: 1",
      "+ a  config.deep: { k: v }",
      "+ a  handle_timeout: 2",
      "+ a  capabilities: [x]",
      "+ a  capability_metadata.l: 1",
      "+ a  credentials.m: (hidden)",
      "+ a  public_key: AA",
    ],
  ],
  [
    "values of a user's config, where null and text are values of their own",
    file(["agent: { name: a, type: t.A, config: { n: 3, z: null, deep: { on: true, l: [1] } } }"]),
    file([
      'agent: { name: a, type: t.A, config: { n: "3", deep: { on: false, l: [1, 2] }, e: {} } }',
    ]),
    [
      '~ a  config.n: 3 -> "3"',
      "~ a  config.deep.on: true -> false",
      "~ a  config.deep.l: [1] -> [1, 2]",
      "+ a  config.e: {}",
      "- a  config.z: null",
    ],
  ],
  [
    "an agent that became a server, which holds the same settings",
    file(["{ name: s, type: agent, module: m, class: S, config: { k: 1 } }"]),
    file(["{ name: s, type: gen_server, module: m, class: S, config: { k: 1 } }"]),
    ["~ s  kind: agent -> gen_server"],
  ],
  [
    "a node of another kind under the same name",
    file([a, inner([b])]),
    file([a, "{ name: inner, type: dynamic_supervisor }"]),
    [
      "- inner  supervisor ONE_FOR_ONE  (in root)",
      "- b  agents.B  (in inner)",
      "+ inner  dynamic_supervisor  (in root)",
    ],
  ],
  [
    "settings of the other kinds",
    file([
      "{ name: d, type: dynamic_supervisor }",
      "{ name: e, type: eval_agent }",
      "{ type: topology_server }",
    ]),
    file([
      "{ name: d, type: dynamic_supervisor, max_children: 2, config: { restart: PERMANENT } }",
      "{ name: e, type: eval_agent, window_seconds: 5 }",
      "{ type: topology_server, port: 7000, auth: { middleware: [m.x] } }",
    ]),
    [
      "+ d  max_children: 2",
      "~ d  restart: transient -> permanent",
      "~ e  window_seconds: 60 -> 5",
      "~ topology_server  port: 6789 -> 7000",
      "+ topology_server  auth.middleware: [m.x]",
    ],
  ],
  [
    "routes, by method and path, and their order, which decides",
    file([
      a,
      b,
      web(
        "routes: [{ method: GET, path: /x, agent: a }, { method: GET, path: '/{y}', agent: a }, { method: POST, path: /z, agent: a }]",
      ),
    ]),
    file([
      a,
      b,
      web(
        "routes: [{ method: get, path: '/{y}', agent: a }, { method: GET, path: /x, agent: b, mode: cast }, { method: PUT, path: /z, agent: a }]",
      ),
    ]),
    [
      "~ web  routes[GET /x].agent: a -> b",
      "~ web  routes[GET /x].mode: call -> cast",
      "+ web  routes[PUT /z]: { method: PUT, path: /z, agent: a, mode: call }",
      "- web  routes[POST /z]: { method: POST, path: /z, agent: a, mode: call }",
      '~ web  order of routes: "GET /x", "GET /{y}" -> "GET /{y}", "GET /x"',
    ],
  ],
  [
    "the transport",
    file([a]),
    file([a], "transport: { type: nats, servers: [nats://a, nats://b], jetstream: true }"),
    [
      "~ type: in_process -> nats",
      "~ servers: [nats://localhost:4222] -> [nats://a, nats://b]",
      "~ jetstream: false -> true",
    ],
  ],
  [
    "plugins, by name, and their order, which decides",
    file(
      [a],
      "plugins: { models: [{ type: p }, { type: q, name: one, config: { k: 1 } }], state: { type: sqlite, config: { db_path: x } } }",
    ),
    file(
      [a],
      "plugins: { models: [{ type: r, name: one, config: { k: 2 } }, { type: p }], exporters: [{ type: console }, { type: console }], state: { type: in_memory } }",
    ),
    [
      "~ models.one  type: q -> r",
      "~ models.one  config.k: 1 -> 2",
      "~ models  order: p, one -> one, p",
      "+ exporters.console  console",
      "+ exporters.console #2  console",
      "~ state  type: sqlite -> in_memory",
      "- state  config.db_path: x",
    ],
  ],
  [
    "settings of built-in stores, with their defaults, and never a secret",
    file(
      [a],
      "plugins: { state: { type: encrypted, config: { store: { type: postgres, config: { url: postgres://u:p@a/d } } } } }",
    ),
    file(
      [a],
      "plugins: { state: { type: encrypted, config: { key_env: K, allow_plaintext_read: false, store: { type: postgres, config: { url: postgres://u:q@a/d, max_size: 10, min_size: 2 } } } } }",
    ),
    [
      "~ state  config.store.config.url: (hidden) -> (hidden)",
      "~ state  config.store.config.min_size: 1 -> 2",
      "+ state  config.key_env: (hidden)",
    ],
  ],
  [
    "a user's own values under names that are secret elsewhere",
    file(["agent: { name: a, type: t.A, config: { url: x, env: y } }"]),
    file(["agent: { name: a, type: t.A, config: { url: z, env: y } }"]),
    ["~ a  config.url: x -> z"],
  ],
  [
    "what came without its secrets",
    file([a]),
    file(
      [a],
      "plugins: { state: { type: postgres, config: { url: postgres://u:p@a/d } } }\nsecurity: { transport: { nats: { nkey_seed: S } } }",
    ),
    ["+ state  postgres { url: (hidden) }", "+ transport.nats: { nkey_seed: (hidden) }"],
  ],
  [
    "the sections beside",
    file(
      [a],
      "audit: { sink: jsonl }\nsecurity: { signing: { enabled: true } }\nmcp: { servers: [{ name: s, command: x }] }",
    ),
    file(
      [a],
      "audit: { sink: syslog }\nsecurity: { identity: { mode: auto } }\nmcp: { servers: [{ name: s, command: y }] }",
    ),
    [
      "~ sink: jsonl -> syslog",
      "+ identity.mode: auto",
      "- signing.enabled: true",
      "~ servers[s].command: x -> y",
    ],
  ],
];

for (const [name, before, after, wanted] of rows) {
  test(`diffTopologies() tells ${name}`, () => {
    const lines = diff(before, after).map((difference) => {
      const { marker, text } = renderDifference(difference);
      return `${marker} ${text}`;
    });
    assert.deepEqual(lines, wanted);
  });
}

test("diffTopologies() finds nothing where only the writing differs", () => {
  const before = `transport: { type: in_process }
plugins: { state: { type: stores.Own, config: { a: 1, b: 2 } } }
supervision:
  name: root
  strategy: ONE_FOR_ONE
  restart_window: 60.0
  children:
    - agent: { name: a, type: agents.A }
    - { name: s, type: agent, module: agents, class: S, config: { x: 1 } }
    - name: web
      type: http_gateway
      config: { port: 8081, routes: [], middleware: null, docs: { enabled: null } }
    - { name: d, type: dynamic_supervisor, config: { max_children: null } }
`;
  const after = `# Said otherwise.
supervisor:
  children:
    - { type: agents.A, name: a }
    - agent: { name: s, type: agents.S, config: { x: 1.0 }, capabilities: [] }
    - { name: web, type: http_gateway, host: 0.0.0.0, port: 8081, grpc_enabled: false, docs: {} }
    - { name: d, type: dynamic_supervisor, restart: Transient }
  name: "root"
  strategy: one_for_one
plugins: { models: [], state: { config: { b: 2, a: 1 }, type: stores.Own } }
`;
  assert.deepEqual(diff(before, after), []);
});

test("diffTopologies() gives the values of both files, and the whole of a node that came or went", () => {
  assert.deepEqual(
    diff(file([a]), file([a, "{ name: d, type: dynamic_supervisor, max_children: 2 }"])),
    [
      {
        section: "supervision",
        change: "added",
        subject: "d",
        field: "",
        to: {
          kind: "dynamic_supervisor",
          max_children: 2,
          restart: "transient",
          max_restarts: 3,
          restart_window: 60,
          parent: "root",
        },
      },
    ],
  );
  assert.deepEqual(diff(file([a, b]), file([b, a])), [
    {
      section: "supervision",
      change: "reordered",
      subject: "root",
      field: "children",
      from: ["a", "b"],
      to: ["b", "a"],
    },
  ]);
});

test("countDifferences() counts what moved as a change", () => {
  const found = diff(file([inner([a, b])]), file([a, inner([b, c])]));
  assert.deepEqual(countDifferences(found), { changeCount: 1, additionCount: 1, removalCount: 0 });
});

test("renderDifference() is one line without control characters, and shows where long values part", () => {
  const long = "x".repeat(5000);
  const config = (value: string) =>
    file([`agent: { name: a, type: t.A, config: { k: ${JSON.stringify(value)} } }`]);
  const [parted] = diff(config(`${long}1`), config(`${long}2`));
  assert.ok(parted);
  const { text } = renderDifference(parted);
  assert.ok(text.length < 500);
  assert.match(text, /^a {2}config\.k: …x{20}1"? -> …x{20}2"?$/);
  const [hostile] = diff(config("a"), config("\u001B[2J\n\u202Eb"));
  assert.ok(hostile);
  assert.ok(!/[\p{Cc}\u202E]/u.test(renderDifference(hostile).text));
});
