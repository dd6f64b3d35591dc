import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeKinds, topologyServerKind } from "../node-kinds/index.ts";
import { isSupervisorNode, settingsOf } from "./model/index.ts";
import { salvageTopology } from "./salvage-topology.ts";

const head = "supervision:\n  name: root\n  children:\n";
const server =
  '    - { name: control, type: topology_server, config: { port: 6795, prefix: "/c" } }\n';

/** `host:port prefix attach_to` of the topology server that is found. */
function found(...texts: readonly string[]): string {
  const parts = texts.map((text) => ({ fileName: "t.yaml", text }));
  const topology = salvageTopology(parts, { kinds: nodeKinds, environment: { PORT: "6800" } });
  const nodes = topology?.supervision.children ?? [];
  const node = nodes.find((each) => !isSupervisorNode(each) && each.name === "control");
  if (node === undefined || isSupervisorNode(node)) return "none";
  const { host, port, prefix, attachTo = "-" } = settingsOf(topologyServerKind, node);
  return `${host}:${port} ${prefix} ${attachTo} of ${nodes.length}`;
}

test("the control plane is found in files that are wrong, whatever is wrong with them", () => {
  const right = "127.0.0.1:6795 /c - of 1";
  const block = `    - name: control
      type: topology_server
      config:
        prefix: /c
        port: 6795
        wrong: [
`;
  const rows: readonly (readonly [text: string, expected: string])[] = [
    [`${head}    - agent: { name: desk, type: agents.Desk, concurency: 3 }\n${server}`, right],
    [`${head}    - agent: { name: desk, type: [agents.Desk }\n${server}`, right],
    [`${head}    - agent: { name: "desk, type: agents.Desk }\n${server}`, right],
    [`${head}\t- agent: { name: desk }\n${server}    - {`, right],
    [`${head}   - agent: { name: desk }\n${server}`, right],
    [`plugins: { models: [\n${head}${server}`, right],
    [`${head}${server}    - agent: { name: desk`, right],
    [`${head}${block}`, right],
    [`${head}${server.replace("6795", '"${PORT}"')}    - agent: 7\n`, "127.0.0.1:6800 /c - of 1"],
    [
      `${head}    - { name: api, type: http_gateway, port: 8080, topology_agent: control, routes: 7 }\n    - { name: control, type: topology_server, config: { attach_to: api } }\n`,
      "127.0.0.1:6789  api of 2",
    ],
    [`${head}    - agent: { name: desk }\n`, "none"],
    ["\0\0", "none"],
    ["", "none"],
  ];
  for (const [text, expected] of rows) assert.equal(found(text), expected, text);
  assert.equal(
    found(`${head}${server}`, `${head}${server.replace("6795", "6796")}`).slice(10, 14),
    "6796",
  );
  assert.equal(found(`${head}${server}`, "x: ["), right);
});
