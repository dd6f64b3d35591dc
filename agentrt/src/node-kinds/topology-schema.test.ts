import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { assert as assertProperty, property, string, stringMatching } from "fast-check";
import { parse } from "yaml";
import { repetitions } from "testkit";
import { projectFiles } from "../scaffold/index.ts";
import { classPathForm, classPathPattern } from "../topology/model/class-path.ts";
import { parseTopology, parseTopologyFile } from "../topology/index.ts";
import { topologyKeyDescriptions } from "../topology/schema/key-descriptions.ts";
import { topologyJsonSchema } from "../topology/schema/topology-json-schema.ts";
import { kindKeyDescriptions } from "./key-descriptions.ts";
import { nodeKinds } from "./node-kind-table.ts";
import { createTopologySchema } from "./topology-schema.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const fixtures = fileURLToPath(new URL("../topology/fixtures/", import.meta.url));

// Strict refuses keywords that it does not know; that a type stands beside every keyword is style.
const validate = new Ajv2020({ strictSchema: true, strictTypes: false }).compile(
  createTopologySchema(),
);

function isTaken(text: string): boolean {
  return validate(parse(text, { merge: true }));
}

function problemsOf(text: string): string {
  return isTaken(text) ? "" : JSON.stringify(validate.errors, null, 2);
}

test("the schema takes every file of fixtures/ok, the examples' topologies and the scaffold's", () => {
  const paths = [
    ...globSync("ok/*.yaml", { cwd: fixtures }).map((path) => join(fixtures, path)),
    ...globSync("examples/**/topology*.yaml", { cwd: repository }).map((path) =>
      join(repository, path),
    ),
  ];
  assert.ok(paths.length >= 4);
  for (const path of paths) assert.equal(problemsOf(readFileSync(path, "utf8")), "", path);
  const project = projectFiles({ name: "greeter", version: "0.1.0" });
  const scaffold = project.find((file) => file.path === "topology.yaml");
  assert.equal(problemsOf(scaffold?.content ?? ""), "");
});

test("the schema takes every topology that the documentation shows", () => {
  let count = 0;
  for (const page of [
    "README.md",
    "agentrt/README.md",
    ...globSync("{agentrt,codetool}/docs/guides/*.md", { cwd: repository }),
  ]) {
    const text = readFileSync(join(repository, page), "utf8");
    for (const [, shown = ""] of text.matchAll(/```ya?ml\n([\s\S]*?)```/g)) {
      // A file that is laid over another one is not whole by itself.
      if (!/^supervision:/m.test(shown) || shown.startsWith("# production.yaml")) continue;
      count += 1;
      assert.equal(problemsOf(shown), "", page);
    }
  }
  assert.ok(count >= 2);
});

test("the schema takes a variable in place of a number, a switch or a word, and keys that begin with x-", () => {
  const text = `x-mine: { any: thing }
supervision:
  name: root
  strategy: \${STRATEGY}
  max_restarts: \${COUNT:-3}
  children:
    - { type: topology_server, port: "\${PORT}" }
`;
  assert.equal(problemsOf(text), "");
  assert.equal(isTaken(text.replace("${COUNT:-3}", "many")), false);
});

/** What a file's structure alone does not tell; the parser refuses these, and `validate` names the place. */
const beyondSchema = new Set([
  // Two nodes.
  "duplicate-agent",
  "duplicate-supervisor",
  "name-conflict",
  "name-implied",
  "port-taken",
  // References.
  "attach-to-missing",
  "attach-to-not-answered",
  "attach-to-wrong-kind",
  "publish-agent",
  "publish-none",
  "publish-twice",
  "route-agent",
  "route-capability",
  "route-supervisor",
  "topology-agent-missing",
  "ws-route-agent",
  // A key, or a placeholder's name, twice.
  "key-in-both-places",
  "route-path",
  // Keys that belong to another transport of the tool server, and its name twice.
  "mcp-no-command",
  "mcp-same-name",
  "mcp-url-of-program",
  // A kind that could be a short name; a path that leaves the project on its way.
  "node-kind-misspelt",
  "type-leaves-project",
]);

for (const path of globSync("err/*.yaml", { cwd: fixtures })) {
  const name = basename(path, ".yaml");
  const file = join(fixtures, path);
  const { problems } = parseTopologyFile(file, { kinds: nodeKinds });
  if (problems.some((problem) => problem.check === "yaml-syntax")) continue;
  const isBeyond = beyondSchema.has(name);
  test(`the schema ${isBeyond ? "cannot tell the fault of" : "refuses"} err/${name}`, () => {
    assert.equal(isTaken(readFileSync(file, "utf8")), isBeyond);
  });
}

test("the schema knows no fixture that is not there", () => {
  const names = new Set(
    globSync("err/*.yaml", { cwd: fixtures }).map((path) => basename(path, ".yaml")),
  );
  for (const name of beyondSchema) assert.ok(names.has(name), name);
});

const file = (children: string, rest = "") =>
  `${rest}\nsupervision: { name: r, children: [{ agent: { name: a, type: a.B } }, ${children}] }`;

const rows: readonly (readonly [text: string, isTaken: boolean])[] = [
  [file("", "transport:\nplugins:\naudit:"), true],
  [file("", "plugins: { state: { type: sqlite, config: { db_path: x } } }"), true],
  [file("", "plugins: { state: { type: own.Store, config: { any: 1 } } }"), true],
  [file("", "plugins: { state: { type: sqlite, config: { path: x } } }"), false],
  [file("", "plugins: { state: null, models: null }"), true],
  [
    file("", "plugins: { models: [{ type: openai, config: { base_url: http://h, timeout: 9 } }] }"),
    true,
  ],
  [file("", "plugins: { models: [{ type: own.Model, config: { api_key: mine } }] }"), true],
  [file("", "plugins: { models: [{ type: openai, config: { api_key: sk } }] }"), false],
  [file("", "plugins: { models: [{ type: anthropic, config: { timeout: 301 } }] }"), false],
  [
    file("", "plugins: { models: [{ type: anthropic, config: { prices: { m: { input: 1 } } } }] }"),
    false,
  ],
  [file("{ name: b, type: gen_server, module: m, class: C }"), true],
  [file("{ agent: { name: b, type: agent, module: m, class: C } }"), true],
  [file("{ name: b, type: gen_server }"), false],
  [file("{ name: w, type: http_gateway, port: 1, config: { host: h } }"), true],
  [file("{ type: http_gateway }"), false],
  [file("{ name: w, type: http_gateway, routes: [{ method: Get, path: /, agent: a }] }"), true],
  [
    file("{ name: w, type: http_gateway, routes: [{ method: GET, path: '/x{y}', agent: a }] }"),
    false,
  ],
  [file("{ name: w, type: http_gateway, routes: [{ method: GET, path: x, agent: a }] }"), false],
  [file("{ type: topology_server, config: null }"), true],
  [file("{ agent: { name: w, type: http_gateway } }"), false],
  [file("{ supervisor: { name: s, children: [] } }"), false],
  [
    file("{ supervisor: { name: s, backoff: eXponential, children: [{ name: b, type: c.D }] } }"),
    true,
  ],
  [file("{ name: d, type: dynamic_supervisor, max_children: null, restart: Permanent }"), true],
  [file("{ name: d, type: dynamic_supervisor, max_children: 0 }"), false],
  [file("{ name: b, type: c.D, credentials: { x: 1 } }"), false],
  [file("{ name: b, type: c.D, config: { anything: [null, { x: 1 }] } }"), true],
];

for (const [text, isWanted] of rows) {
  test(`the schema and the parser both ${isWanted ? "take" : "refuse"} ${text.trim()}`, () => {
    const { problems } = parseTopology(text, { fileName: "t", kinds: nodeKinds });
    assert.equal(problems.length === 0, isWanted, JSON.stringify(problems));
    assert.equal(isTaken(text), isWanted, JSON.stringify(validate.errors));
  });
}

test("the schema's pattern of class paths takes whatever the parser takes", () => {
  const pattern = new RegExp(classPathPattern, "u");
  const likely = stringMatching(/^(?:@a\/|\.{1,2}\/)?[a-z~/.$-]{1,12}(?:#[A-Z]\w?)?$/);
  const check = (text: string): void =>
    assert.ok(classPathForm(text) === undefined || pattern.test(text), text);
  assertProperty(property(likely, check), { numRuns: repetitions(1000) });
  assertProperty(property(string(), check));
  for (const bad of ["/etc/a.js#A", "node:fs#A", "https://x/a.js#A", "a b", "a.b.", "#A", "a#"])
    assert.ok(!pattern.test(bad), bad);
});

test("every key of the schema has a description; one too few or too many is a fault", () => {
  const all = { ...topologyKeyDescriptions, ...kindKeyDescriptions };
  const { transport: _, ...less } = all;
  assert.throws(() => topologyJsonSchema(nodeKinds, less), /The key transport has no description/);
  assert.throws(
    () => topologyJsonSchema(nodeKinds, { ...all, "transport.url": "No key." }),
    /No key has the description transport\.url/,
  );
});

test("the schema offers words that any case will do for in both cases", () => {
  const schema = JSON.stringify(createTopologySchema());
  assert.ok(
    schema.includes('"enum":["CONSTANT","LINEAR","EXPONENTIAL","constant","linear","exponential"]'),
  );
  assert.ok(schema.includes('"enum":["in_process","zmq","nats"]'));
  assert.ok(schema.includes('"default":"ONE_FOR_ONE"'));
});
