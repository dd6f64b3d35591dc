/** `npm run example:cluster`: a conversation goes on when the worker that has it is killed. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder, skipUnless, startProgram } from "testkit";

const script = fileURLToPath(new URL("../scripts/example-cluster.ts", import.meta.url));
const tickets = ["4711", "4712", "4713", "4714", "4715", "4716", "4717", "4718"];

test(
  "as two workers and a broker the tickets are served, and each conversation goes on when a worker is killed",
  { skip: skipUnless("nats-server") },
  async () => {
    using folder = createTemporaryFolder({
      "ports.yaml": `supervision:
  children:
    - { name: api, port: 0, grpc_port: 0 }
    - { name: control, port: 0 }
`,
    });
    const words = ["--conditions=agentrt-source", script, "-t", `${folder.path}/ports.yaml`];
    await using cluster = startProgram(process.execPath, words);
    const [, url = ""] = await cluster.waitFor(/api listens on (\S+)/);
    const [, first, second] = await cluster.waitFor(/kill -9 (\d+) {3}or {3}kill -9 (\d+)/);
    await cluster.waitFor(/a worker is there [^]*a worker is there /);
    const ask = async (ticket: string): Promise<number> => {
      const response = await fetch(`${url}/tickets/${ticket}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": "first-key" },
        body: JSON.stringify({ text: "My parcel is lost" }),
      });
      return Number(/"turns":(\d+)/.exec(await response.text())?.[1] ?? 0);
    };
    /** Asks until it is answered, which it is not while nobody has the ticket. */
    const turnsOf = async (ticket: string): Promise<number> => {
      for (;;) {
        const turns = await ask(ticket);
        if (turns > 0) return turns;
        await new Promise(setImmediate);
      }
    };
    assert.deepEqual(
      await Promise.all(tickets.map(turnsOf)),
      tickets.map(() => 2),
    );
    process.kill(Number(first), "SIGKILL");
    assert.deepEqual(
      await Promise.all(tickets.map(turnsOf)),
      tickets.map(() => 4),
    );
    assert.equal(process.kill(Number(second), 0), true);
    cluster.kill("SIGTERM");
    assert.equal((await cluster.exited()).code, 0, cluster.output);
  },
);
