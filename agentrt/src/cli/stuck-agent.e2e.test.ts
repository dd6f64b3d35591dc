/** An operator with an agent that is stuck in a message: what it waits for, which messages wait, dropping one, a restart that takes its time. */
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type ProgramExit,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Message } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }: Message) {
    if (payload.ask === true) await this.llm.chat({ messages: [{ role: "user", content: "?" }] });
    return { n: payload.n ?? null };
  }
}
`;

interface Listed {
  readonly depth: number;
  readonly messages: readonly { readonly id: string }[];
}

test("what a stuck message waits for is shown, a waiting one is dropped by its id, and a restart says what it waits for", async () => {
  // A model that takes questions, and answers none.
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  silent.unref();
  await once(silent, "listening");
  const { port: modelPort } = silent.address() as { readonly port: number };
  const [api, control] = [await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": `plugins:
  models:
    - { type: openai, name: main, config: { api_key_env: PATH, default_model: m, timeout: 300, base_url: "http://127.0.0.1:${modelPort}" } }
audit: { sink: jsonl, path: audit.jsonl }
supervision:
  name: root
  children:
    - agent: { name: desk, type: agents.Desk, shutdown_timeout: 10 }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${api}, request_timeout: 600 } }
    - { name: topo, type: topology_server, config: { port: ${control} } }
`,
  });
  const agentrt = async (...words: string[]): Promise<ProgramExit> =>
    await runProgram(process.execPath, [binary, ...words], { workingDirectory: folder.path });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    timeoutMs: 600_000,
  });
  await program.waitFor(/started/);
  const call = async (payload: object): Promise<[number, unknown]> => {
    const response = await fetch(`http://127.0.0.1:${api}/agents/desk`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    });
    return [response.status, await response.json()];
  };
  const listed = async (): Promise<Listed> =>
    JSON.parse((await agentrt("mailbox", "desk", "--json")).stdout) as Listed;
  try {
    const stuck = call({ ask: true });
    await once(silent, "connection");
    const [first, second] = [call({ n: 1 }), call({ n: 2 })];
    let ps = "";
    while (!ps.includes("waits for the model main")) ps = (await agentrt("ps")).stdout;
    assert.match(ps, /^desk +Desk +RUNNING .* http\.request [\d.]+ s, waits for the model main$/m);
    const described = await agentrt("describe", "desk");
    assert.match(
      described.stdout,
      /\n {2}waits for {3}the answer of the model main, for [\d.]+ s\n/,
    );

    let waiting = await listed();
    while (waiting.depth < 2) waiting = await listed();
    const table = await agentrt("mailbox", "desk");
    assert.match(table.stdout, /^ID +TYPE +SENDER +PRIORITY +WAITS\n[0-9a-f-]{36} +http\.request /);
    const id = waiting.messages[0]?.id ?? "";
    const dropped = await agentrt("mailbox", "desk", "--drop", id);
    assert.deepEqual(
      [dropped.code, dropped.stdout],
      [0, `message ${id} is taken out of the mailbox of "desk"\n`],
    );
    const [status, body] = await Promise.race([first, second]);
    assert.equal(status, 409);
    assert.match(JSON.stringify(body), /took the message out of its mailbox/);
    const again = await agentrt("mailbox", "desk", "--drop", id);
    assert.equal(again.code, 1);
    assert.match(
      again.stderr,
      /Cannot drop from "desk": no message '[0-9a-f-]+' waits for 'desk', HTTP status 404/,
    );
    const letters = await agentrt("dead-letters");
    assert.match(letters.stdout, new RegExp(`removed +api -> desk +http\\.request +${id}`));
    const audit = await agentrt("audit", "tail", "audit.jsonl");
    assert.match(audit.stdout, /mailbox\.drop/);

    const restarted = await agentrt("restart", "desk");
    assert.equal(restarted.code, 0, restarted.stderr);
    assert.match(
      restarted.stdout,
      /^"desk" is asked to be restarted; it is \w+\n"desk" has begun again\n$/,
    );
    assert.match(
      restarted.stderr,
      /^waiting for [\d.]+ s: "desk" has http\.request at hand, for [\d.]+ s, which waits for the model main; it ends first, within its shutdown_timeout$/m,
    );
    assert.equal((await stuck)[0], 502);
    const answers = (await Promise.all([first, second])).map(([each]) => each);
    assert.deepEqual(
      answers.toSorted((one, other) => one - other),
      [200, 409],
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
