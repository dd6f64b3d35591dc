/** A suspension through the death of the process: `agentrt run`, killed in the middle, run again. */
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
import { Agent, type Message } from "agentrt";

export class Refunds extends Agent {
  override onStart() { console.log("refunds starts with " + JSON.stringify(this.state)); }
  override onSuspend(reason: string) { console.log("suspended: " + reason); }
  override async handle(message: Message) {
    const amount = Number(message.payload["amount"]);
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    if (amount > 500) await this.suspendForApproval("a refund of " + amount);
    return { amount };
  }
}
`;

const topology = (port: number, controlPort: number): string => `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - agent: { name: refunds, type: agents.Refunds }
    - { name: gateway, type: http_gateway, config: { port: ${port}, request_timeout: 0.3 } }
    - { name: control, type: topology_server, config: { port: ${controlPort} } }
`;

test("an agent that waits for approval still waits after kill -9 and a new run", async () => {
  const [port, controlPort] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(port, controlPort),
  });
  const start = () =>
    startProgram(process.execPath, [binary, "run"], { workingDirectory: folder.path });
  const refund = (amount: number) =>
    fetch(`http://127.0.0.1:${port}/agents/refunds`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ amount }),
    });
  const describe = async () => {
    const response = await fetch(`http://127.0.0.1:${controlPort}/agents/refunds`);
    return (await response.json()) as { status: string; suspend_category: string | null };
  };
  {
    await using program = start();
    await program.waitFor(/started/);
    assert.deepEqual(await (await refund(900)).json(), { amount: 900 });
    await program.waitFor(/suspended: a refund of 900/);
    assert.equal((await refund(1)).status, 504);
    program.kill("SIGKILL");
    await program.exited();
  }
  const listed = await runProgram(
    process.execPath,
    [binary, "state", "list", "--db", "state.db", "--json"],
    { workingDirectory: folder.path },
  );
  const { agents: rows } = JSON.parse(listed.stdout) as {
    agents: { state: { [key: string]: { reason?: string } } }[];
  };
  assert.equal(rows[0]?.state["_agentrt.suspended"]?.reason, "a refund of 900");
  await using program = start();
  await program.waitFor(/refunds starts with \{"count":1\}/);
  await program.waitFor(/started/);
  const { status, suspend_category: category } = await describe();
  assert.deepEqual([status, category], ["SUSPENDED", "hitl_approval"]);
  assert.equal((await refund(2)).status, 504);
  const shown = await runProgram(process.execPath, [binary, "topology", "show", "topology.yaml"], {
    workingDirectory: folder.path,
  });
  assert.match(shown.stdout, /refunds {2}SUSPENDED/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.code, 0);
  assert.ok(!exit.stdout.includes("suspended:"));
});
