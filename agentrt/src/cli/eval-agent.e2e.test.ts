/** An eval agent from a topology, through `agentrt run`. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, EvalAgent, type EvalEvent, type Message } from "agentrt";

export class Judge extends EvalAgent {
  override onEvalEvent({ payload }: EvalEvent) {
    if (String(payload["text"]).length < 10) return null;
    return { severity: "nudge", reason: "be brief" } as const;
  }
}

export class Writer extends Agent {
  override onCorrection(message: Message) {
    console.log("corrected: " + message.payload["reason"]);
  }
  override async handle(message: Message) {
    await this.emitEval("answer", { text: message.payload["text"] ?? "" });
    return {};
  }
}
`;

const topology = (port: number, judge: string): string => `supervision:
  name: root
  children:
    - { name: eval_agent, type: eval_agent, config: { max_corrections_per_window: 1, window_seconds: 60, class: ${judge} } }
    - agent: { name: writer, type: agents.Writer }
    - { name: gateway, type: http_gateway, config: { port: ${port} } }
`;

test("an eval agent of a topology corrects, as often as its limit allows", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, "agents.Judge"),
  });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  for (const text of ["short", "much too long", "much too long again"]) {
    const response = await fetch(`http://127.0.0.1:${port}/agents/writer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
    });
    assert.equal(response.status, 200);
  }
  await program.waitFor(/too many in the window/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.stdout.match(/corrected: be brief/g)?.length, 1);
});

test("a class that is no EvalAgent is refused with its place in the file", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(await freePort(), "agents.Writer"),
  });
  const exit = await runProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  assert.equal(exit.code, 1);
  assert.match(exit.stderr, /topology\.yaml:4:7: .*"agents\.Writer" does not extend EvalAgent/);
});
