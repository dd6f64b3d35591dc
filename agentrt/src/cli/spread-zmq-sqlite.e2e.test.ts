/** Several workers of one group over zmq and sqlite: keys and members are spread over them, and come through a kill with their states. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, runProgram } from "testkit";
import {
  spreadAgents,
  testSpawnedGroup,
  testSpreadAgent,
  testSpreadWorkers,
  zmqSqliteCase,
} from "./test-support/spread-workers.ts";

testSpreadWorkers(zmqSqliteCase);
testSpreadAgent(zmqSqliteCase);
testSpawnedGroup(zmqSqliteCase);

const binary = agentrtLauncher();

test("run refuses what cannot be on several workers, with its place", async () => {
  const files: { readonly [name: string]: readonly [string, RegExp] } = {
    "memory.yaml": [
      "- { name: many, type: keyed, process: back, config: { class: agents.Counter } }",
      /Cannot run "many" on the workers of "back" \(.*memory\.yaml:5:\d+\): the state store in_memory keeps no states that several processes share/,
    ],
    "budget.yaml": [
      "- { name: many, type: pool, process: back, config: { class: agents.Member, size: 2, budget: { tokens: 9, per: run } } }",
      /budget\.yaml:5:\d+: pool: process with a budget: this version/,
    ],
    "mixed.yaml": [
      "- { name: many, type: pool, process: back, config: { class: agents.Member, size: 2 } }\n    - agent: { name: one, type: agents.Member, process: back }",
      /Cannot run "one" on the workers of "back" \(.*mixed\.yaml:6:\d+\): the state store in_memory keeps no states that several processes share/,
    ],
  };
  using folder = createTemporaryFolder({
    "agents.ts": spreadAgents,
    "package.json": '{"type":"module"}',
    ...Object.fromEntries(
      Object.entries(files).map(([name, [child]]) => [
        name,
        `transport: { type: nats }\nsupervision:\n  name: root\n  children:\n    ${child}\n`,
      ]),
    ),
  });
  for (const [name, [, reason]] of Object.entries(files))
    for (const words of [[], ["--process", "back"]]) {
      const refused = await runProgram(process.execPath, [binary, "run", name, ...words], {
        workingDirectory: folder.path,
      });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, reason);
    }
});
