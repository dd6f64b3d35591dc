/** Usage of `agentrt sim`. What it runs is tested in `sim.e2e.test.ts`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { agentrt } from "./test-support/agentrt.ts";

for (const [words, message] of [
  [["--runs", "0"], /option '--runs' is "0", wanted a whole number from 1/],
  [["--runs", "1e3"], /option '--runs' is "1e3"/],
  [["--seed", "-1"], /option '--seed' is "-1"/],
  [["--duration", "soon"], /option '--duration' is "soon", wanted seconds above 0/],
  [["--jobs", "1000"], /option '--jobs' is "1000"/],
] as const) {
  test(`agentrt sim ${words.join(" ")} is wrong usage`, async () => {
    using folder = createTemporaryFolder({
      "topology.yaml": "supervision: { name: root, children: [{ name: a, type: agents.A }] }\n",
    });
    const sim = ["sim", "topology.yaml", ...words];
    const { exitCode, stderr } = await agentrt(sim, { directory: folder.path });
    assert.match(stderr, message);
    assert.equal(exitCode, 2);
  });
}
