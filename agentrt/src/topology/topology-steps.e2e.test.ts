import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear, StepCounter } from "testkit";

// Before what they count is loaded.
const ours = new StepCounter();
const schemas = new StepCounter("/zod/");
const { parseTopology } = await import("./index.ts");
const { nodeKinds } = await import("../node-kinds/index.ts");

/** Checking one agent takes about 90; to make the schemas of its keys as well takes about 590. */
const stepsOfAgentMax = 200;

function read(agentCount: number): void {
  const agents = Array.from(
    { length: agentCount },
    (_, number) => `    - agent: { name: a${number}, type: agents.Echo }\n`,
  );
  const text = `supervision:\n  name: root\n  children:\n${agents.join("")}`;
  const { problems } = parseTopology(text, { fileName: "t.yaml", kinds: nodeKinds });
  assert.deepEqual(problems, []);
}

test("reading twice the agents takes twice the steps", async () => {
  await assertLinear(ours, { name: "parseTopology()", count: 200, run: read });
});

test("reading an agent checks it by schemas that are there, and makes none", () => {
  read(1);
  const few = schemas.count(() => read(100));
  const many = schemas.count(() => read(200));
  const steps = (many - few) / 100;
  assert.ok(steps > 0 && steps < stepsOfAgentMax, `${steps} steps of the schemas for each agent`);
});
