import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeKinds, agentKind } from "../../node-kinds/index.ts";
import { formatProblem, parseTopology, renderTopology, settingsOf, walkTree } from "../index.ts";

test("formatProblem() and renderTopology() let no control character of the file through", () => {
  const text =
    'transport: { type: zmq, pub_addr: "tcp://\\e[31m" }\nsupervision:\n  name: root\n  "k\\e[2J": 1\n' +
    '  children: [ { agent: { name: "a\\u202eb", type: a.B } } ]\n';
  const { problems } = parseTopology(text, { fileName: "a\nb.yaml", kinds: nodeKinds });
  assert.equal(problems.length, 2);
  for (const problem of problems)
    assert.doesNotMatch(formatProblem(problem), /[\p{Cc}\u202E]/u, formatProblem(problem));
  const drawn = parseTopology(
    'supervision:\n  name: root\n  children: [ { agent: { name: a, type: a.B, process: "p\\e[31m" } } ]\n',
    { fileName: "t", kinds: nodeKinds },
  );
  assert.ok(drawn.topology !== undefined);
  assert.doesNotMatch(renderTopology(drawn.topology, { kinds: nodeKinds }), /\u001B/);
});

test("durations of a topology are whole milliseconds where the runtime wants them so", () => {
  for (const [seconds, expectedMs] of [
    ["1.1", 1100],
    ["0.07", 70],
    ["0.0004", 1],
  ] as const) {
    const { topology } = parseTopology(
      `supervision:\n  name: root\n  children: [ { name: a, type: agent, module: ./a.ts, class: B, handle_timeout: ${seconds} } ]\n`,
      { fileName: "t", kinds: nodeKinds },
    );
    assert.ok(topology !== undefined);
    const node = [...walkTree(topology.supervision)].find(({ name }) => name === "a");
    assert.equal(settingsOf(agentKind, node as never).limits.handleTimeoutMs, expectedMs);
  }
});
