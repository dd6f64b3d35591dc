/** Budgets of supervisors above agents on workers: one ledger for all processes, through `agentrt run`, against a model server that counts what it sold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
  startScriptedServer,
} from "testkit";
import { transportCases } from "./test-support/transports.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent } from "agentrt";

export class Clerk extends Agent {
  override async handle({ payload }) {
    if (payload.spawn) return { ...(await this.spawnInto("temps", Clerk, payload.spawn)) };
    try {
      const { tokensOut } = await this.llm.chat({ messages: [{ role: "user", content: "Hi" }] });
      return { tokensOut };
    } catch (error) {
      return { code: error.code, message: error.message };
    }
  }
}
`;

const topology = (transport: string, port: number, url: string): string => `transport: ${transport}
plugins:
  models:
    - type: openai
      config: { base_url: "${url}/v1", default_model: stub, max_tokens: 50, prices: { stub: { input: 0, output: 1000 } } }
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  budget: { tokens: 100000 }
  children:
    - supervisor:
        name: office
        budget: { usd: 0.25 }
        max_restarts: 100
        backoff_base: 0.01
        children:
          - agent: { name: clerk, type: agents.Clerk }
          - agent: { name: remote, type: agents.Clerk, process: back, budget: { tokens: 1000 } }
          - { name: temps, type: dynamic_supervisor, process: back, config: { max_restarts: 100 } }
    - agent: { name: free, type: agents.Clerk, process: back }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, topology_agent: control }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

/** Sells answers of 50 tokens, 0.05 USD; one it holds back for good is counted, too. */
async function startStub() {
  const stub = { soldCount: 0, isHanging: false, onAsked: (): void => undefined };
  const server = await startScriptedServer((response) => {
    stub.soldCount += 1;
    stub.onAsked();
    if (stub.isHanging) return;
    response.writeHead(200, { "content-type": "application/json" });
    const message = { role: "assistant", content: "Yes" };
    const usage = { prompt_tokens: 10, completion_tokens: 50 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    response.end(JSON.stringify({ model: "stub", choices, usage }));
  });
  return Object.assign(server, { stub });
}

for (const { name: transport, skip, open } of transportCases)
  test(
    `${transport}: what agents on workers spend counts in the budgets above them, also when their worker died`,
    { skip },
    async () => {
      await using meeting = await open();
      await using server = await startStub();
      const { stub, url } = server;
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.section, port, url),
        "agents.ts": agents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
          environment: { OPENAI_API_KEY: "none" },
        });
      const post = async (agent: string, body: object = {}): Promise<Response> =>
        await fetch(`http://127.0.0.1:${port}/agents/${agent}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const ask = async (
        agent: string,
        body: object = {},
      ): Promise<{ readonly [name: string]: unknown }> => {
        for (;;) {
          const response = await post(agent, body);
          const answer = (await response.json()) as { readonly [name: string]: unknown };
          if (response.status === 200) return answer;
          assert.match(String(response.status), /^50[23]$/, JSON.stringify(answer));
          await new Promise(setImmediate);
        }
      };
      const spent = async (): Promise<string> => {
        const listed = await runProgram(
          process.execPath,
          [binary, "budget", "list", "--db", "state.db", "--json"],
          {
            workingDirectory: folder.path,
          },
        );
        return listed.stdout;
      };
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      await using first = start("--process", "back");
      await first.waitFor(/the supervisor has taken this worker/);

      const sold = { tokensOut: 50 };
      assert.deepEqual(await ask("clerk"), sold);
      assert.deepEqual(await ask("remote"), sold);
      assert.equal((await ask("remote", { spawn: "temp" }))["isReady"], true);
      assert.deepEqual(await ask("temp"), sold);
      assert.match(await spent(), /0\.15\d*/);

      // The worker dies while the model works for it: that counts as spent.
      stub.isHanging = true;
      const asked = new Promise<void>((resolve) => (stub.onAsked = resolve));
      const lost = post("remote");
      await asked;
      first.kill("SIGKILL");
      await first.exited();
      assert.equal((await lost).status, 502);
      stub.isHanging = false;
      await using second = start("--process", "back");
      await second.waitFor(/the supervisor has taken this worker/);
      assert.deepEqual(await ask("remote"), sold);

      // Five are sold: nobody below the budget gets more, in whichever process.
      const { soldCount } = stub;
      assert.equal(soldCount, 5);
      for (const agent of ["clerk", "remote", "temp"]) {
        const refused = await ask(agent);
        assert.equal(refused["code"], "AGENTRT_MODEL_BUDGET_EXCEEDED", agent);
        assert.match(
          String(refused["message"]),
          /the budget of "office" is used up: 0\.25\d* of 0\.25 USD/,
        );
      }
      assert.deepEqual(await ask("free"), sold);
      assert.equal(stub.soldCount, soldCount + 1);

      // The supervisor is killed: what was spent stays until an operator resets it.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      assert.match(await spent(), /0\.25/);
      const words = ["budget", "reset", "office", "--db", "state.db", "--force"];
      const reset = await runProgram(process.execPath, [binary, ...words], {
        workingDirectory: folder.path,
      });
      assert.equal(reset.code, 0, reset.stderr);
      await using third = start();
      await third.waitFor(/started; Ctrl\+C stops/);

      // Many ask at once: no more is sold than it allows for.
      const codes = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const body = await ask(["clerk", "remote"][index % 2] ?? "clerk");
          return body["code"] ?? "sold";
        }),
      );
      const counts = codes.filter((code) => code === "sold").length;
      assert.equal(counts, 5, JSON.stringify(codes));
    },
  );
