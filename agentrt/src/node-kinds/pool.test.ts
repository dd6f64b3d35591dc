/** `type: pool` as a topology file says it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ParsedTopology, parseTopology, renderTopology } from "../topology/index.ts";
import { nodeKinds } from "./node-kind-table.ts";

function parse(...children: string[]): ParsedTopology {
  const lines = children.map((child) => `    - ${child}\n`).join("");
  const text = `supervision:\n  name: root\n  children:\n${lines}`;
  return parseTopology(text, { fileName: "t.yaml", kinds: nodeKinds });
}

const writer = "type: pool, name: writer, class: agents.Writer";

test("what is wrong with the size of a pool is told with what was wanted", () => {
  for (const [keys, message] of [
    ["idle: 5", /size: missing: it must be a number of members, unless there is max/],
    ["size: 3, max: 4", /size: found number 3, wanted none next to min and max/],
    ["min: 5, max: 4", /min: found number 5, wanted at most max$/],
    ["size: 0", /size: found number 0, wanted a whole number from 1 to 10000/],
    ["size: 2, concurrency: 3", /unknown key "concurrency"/],
    ["size: 2, scale_after: -1", /scale_after/],
    ["size: 2, credentials: { nobody: KEY }", /no provider named "nobody"/],
  ] as const) {
    const { problems } = parse(`{ ${writer}, ${keys} }`);
    const said = problems.map(({ path, message: text }) => `${path}: ${text}`);
    assert.equal(said.length, 1, said.join("\n"));
    assert.match(said[0] ?? "", message);
  }
});

test("the names of the members are taken", () => {
  const { problems } = parse(`{ ${writer}, size: 2 }`, "agent: { name: writer/2, type: agents.A }");
  assert.match(problems[0]?.message ?? "", /"writer\/2" is taken by a part of "writer"/);
  const free = parse(`{ ${writer}, size: 2 }`, "agent: { name: writer/3, type: agents.A }");
  assert.deepEqual(free.problems, []);
});

test("a pool is drawn with its class and its size, and counts as an agent, as a keyed agent does", () => {
  const { topology } = parse(
    `{ ${writer}, min: 2, max: 20 }`,
    "{ type: pool, name: b, class: a.B, size: 3 }",
    "{ type: keyed, name: c, class: a.C, key: id }",
  );
  assert.ok(topology);
  const drawn = renderTopology(topology, { kinds: nodeKinds });
  assert.match(drawn, /├── writer {2}agents\.Writer {2}size: 2…20 {2}\[pool\]/);
  assert.match(drawn, /├── b {2}a\.B {2}size: 3 {2}\[pool\]/);
  assert.match(drawn, /3 agents · 1 supervisor ·/);
});
