/** Budgets of model calls through the real command line, against a model server that counts what it sold. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  startProgram,
  startScriptedServer,
  type TemporaryFolder,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Clerk extends Agent {
  override async handle(message: Message) {
    try {
      const { tokensOut } = await this.llm.chat({ messages: [{ role: "user", content: "Hi" }] });
      return { tokensOut };
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      return { code: code ?? "", message };
    }
  }
}
`;

function topology({ port, url, budget }: { port: number; url: string; budget: string }): string {
  return `plugins:
  models:
    - type: openai
      config: { base_url: "${url}/v1", default_model: stub, max_tokens: 50, prices: { stub: { input: 0, output: 1000 } } }
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - supervisor:
        name: desk
        budget: ${budget}
        children:
          - agent: { name: clerk, type: agents.Clerk }
          - { name: ticket, type: keyed, class: agents.Clerk, key: id, budget: { tokens: 60, per: key } }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /clerk/call, agent: clerk }
          - { method: POST, path: "/ticket/{id}/call", agent: ticket }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;
}

/** Sells answers of 50 tokens; one it holds back for good is counted, too. */
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

function start(folder: TemporaryFolder): Program {
  return startProgram(process.execPath, [binary, "run"], { workingDirectory: folder.path });
}

async function command(folder: TemporaryFolder, ...words: string[]) {
  return await runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
}

async function ask(port: number, agent: string): Promise<{ [field: string]: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}/${agent}/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  return (await response.json()) as { [field: string]: unknown };
}

test("a subtree stops at its budget, also after kill -9, until an operator resets it", async () => {
  await using server = await startStub();
  const port = await freePort();
  const { url, stub } = server;
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology({ port, url, budget: "{ usd: 0.15 }" }),
  });
  {
    await using program = start(folder);
    await program.waitFor(/started/);
    assert.deepEqual(await ask(port, "clerk"), { tokensOut: 50 });
    assert.deepEqual(await ask(port, "ticket/a"), { tokensOut: 50 });
    const refused = await ask(port, "ticket/a");
    assert.equal(refused["code"], "AGENTRT_MODEL_BUDGET_EXCEEDED");
    assert.match(
      String(refused["message"]),
      /the budget of "ticket\/a" is used up: 60 of 60 tokens/,
    );
    // The third call of the subtree is at the model when the process is killed.
    stub.isHanging = true;
    const asked = new Promise<void>((resolve) => (stub.onAsked = resolve));
    const lost = ask(port, "clerk").catch(() => undefined);
    await asked;
    program.kill("SIGKILL");
    await program.exited();
    await lost;
  }
  stub.isHanging = false;
  await using program = start(folder);
  await program.waitFor(/started/);
  assert.match(program.output, /model calls were open when the process ended.*budget=desk/);
  const refused = await ask(port, "clerk");
  assert.match(
    String(refused["message"]),
    /"desk" is used up: 0\.15 of 0\.15 USD spent, until it is/,
  );
  assert.equal(stub.soldCount, 3);
  const snapshot = (await (await fetch(`http://127.0.0.1:${port}/snapshot`)).json()) as {
    readonly budgets: readonly { readonly [field: string]: unknown }[];
  };
  const [desk] = snapshot.budgets;
  assert.equal(desk?.["name"], "desk");
  assert.ok(Math.abs(Number(desk["spent_usd"]) - 0.15) < 1e-9, String(desk["spent_usd"]));
  assert.deepEqual([desk["calls"], desk["unsettled_calls"], desk["limit_usd"]], [2, 1, 0.15]);
  const ps = await command(folder, "ps");
  assert.match(
    ps.stdout,
    /^! the budget of desk \(per run\) is used up until it is raised, or reset while nothing runs: /m,
  );
  const cost = await command(folder, "cost");
  assert.doesNotMatch(cost.stdout, /AGENT/, "nobody asked since the start");
  assert.match(
    cost.stdout,
    /^BUDGET +PER +SPENT USD +LIMIT USD +SPENT TOKENS +LIMIT TOKENS +BEGINS AGAIN$/m,
  );
  assert.match(cost.stdout, /^desk +run +0\.1500 +0\.1500 +\d+ +none +by a reset$/m);
  const listed = await command(folder, "budget", "list", "--db", "state.db");
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /^Budget +Per +Spent +Calls +Free again\n/);
  assert.match(
    listed.stdout,
    /\ndesk +run +0\.15 of 0\.15 USD, \d+ tokens +2, 1 cut off +after a reset\n/,
  );
  assert.match(listed.stdout, /\nticket\/a +key +0\.05 USD, 60 of 60 tokens +1 +after a reset\n/);
  const held = await command(folder, "budget", "reset", "desk", "--db", "state.db", "--force");
  assert.equal(held.code, 1, "not while a topology runs on the store");
  assert.match(held.stderr, /\[AGENTRT_STATE_LOCKED\]/);
  program.kill("SIGTERM");
  await program.exited();
  const reset = await command(folder, "budget", "reset", "desk", "--db", "state.db", "--force");
  assert.equal(reset.code, 0, reset.stderr);
  assert.match(reset.stdout, /^Reset the budget of "desk" \(0\.15 of 0\.15 USD, \d+ tokens\) in /);
  await using again = start(folder);
  await again.waitFor(/started/);
  assert.deepEqual(await ask(port, "clerk"), { tokensOut: 50 });
});

test("budget list and reset say what is not there", async () => {
  using folder = createTemporaryFolder({});
  const empty = await command(folder, "budget", "list");
  assert.deepEqual([empty.code, empty.stdout], [0, ""]);
  assert.match(empty.stderr, /there is no state file "agency_state\.db"/);
  const missing = await command(folder, "budget", "reset", "desk", "--force");
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Cannot reset the budget of "desk": nothing is spent of it in/);
});

test("a topology file is refused a budget that is none, and shows one that is", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "wrong.yaml": topology({ port: 0, url: "http://127.0.0.1", budget: "{ per: hour }" }),
    "key.yaml": topology({ port: 0, url: "http://127.0.0.1", budget: "{ usd: 1, per: key }" }),
    "typo.yaml": topology({ port: 0, url: "http://127.0.0.1", budget: "{ usd: 1, pre: hour }" }),
    "right.yaml": topology({ port: 0, url: "http://127.0.0.1", budget: "{ usd: 5, per: hour }" }),
    "forgetful.yaml":
      "supervision: { name: root, budget: { tokens: 9 }, children: [{ agent: { name: clerk, type: agents.Clerk } }] }",
  });
  const validated = async (file: string) => await command(folder, "topology", "validate", file);
  const wrong = await validated("wrong.yaml");
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stdout + wrong.stderr,
    /budget.*it must be an amount of US dollars, unless there are tokens/,
  );
  const key = await validated("key.yaml");
  assert.match(key.stdout + key.stderr, /found "key", wanted one of run, hour/);
  const typo = await validated("typo.yaml");
  assert.match(typo.stdout + typo.stderr, /"pre".*did you mean "per"/);
  const forgetful = await validated("forgetful.yaml");
  assert.equal(forgetful.code, 0, forgetful.stderr);
  assert.match(
    forgetful.stdout + forgetful.stderr,
    /without plugins\.state what is spent is forgotten/,
  );
  const shown = await command(folder, "topology", "show", "right.yaml");
  assert.match(shown.stdout, /desk .* budget: 5 USD per hour\n/);
  assert.match(shown.stdout, /ticket .* budget: 60 tokens per key {2}\[keyed\]\n/);
});
