/** `agentrt dead-letters` through the real command line, against a topology that runs. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
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
import { Agent } from "agentrt";

export class Sender extends Agent {
  override async onStart() {
    await this.cast("nobody", { secret: "s3cret" }, { type: "lost\\u001b[2J" }).catch(() => {});
  }
  override handle() { return {}; }
}
`;

function topology(port: number): string {
  return `supervision:
  name: root
  children:
    - agent: { name: sender, type: agents.Sender }
    - { name: topo, type: topology_server, config: { port: ${port} } }
`;
}

async function deadLetters(directory: string, ...args: string[]) {
  return await runProgram(process.execPath, [binary, "dead-letters", ...args], {
    workingDirectory: directory,
  });
}

test("agentrt dead-letters lists what a running topology lost, as text and as JSON", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({ "agents.ts": agents, "topology.yaml": topology(port) });
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  await program.waitFor(/started/);
  const listed = await deadLetters(folder.path);
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, /noRoute +sender -> nobody {2}lost/);
  assert.match(listed.stdout, /since the start: noRoute 1\n$/);
  assert.ok(!listed.stdout.includes("\u001b") && !listed.stdout.includes("s3cret"));
  const { stdout } = await deadLetters(folder.path, "--json");
  const body = JSON.parse(stdout) as { dead_letters: { recipient: string; id: null }[] };
  assert.deepEqual(
    body.dead_letters.map(({ recipient, id }) => [recipient, id]),
    [["nobody", null]],
  );
});

test("agentrt dead-letters says in one line why it could not ask", async () => {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "topology.yaml": topology(port),
    "plain.yaml": "supervision:\n  name: root\n  children: [{ agent: { name: a, type: b.C } }]\n",
  });
  const none = await deadLetters(folder.path);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /nothing listens there: is the topology running\?/);
  const plain = await deadLetters(folder.path, "-t", "plain.yaml");
  assert.equal(plain.code, 1);
  assert.match(plain.stderr, /"plain.yaml" declares no topology_server/);
  for (const [status, text, reason] of [
    [401, "{}", /HTTP status 401/],
    [200, "<html>", /its answer is not JSON/],
    [200, '{"counts":1}', /its answer is not a list of messages/],
  ] as const) {
    const server = createServer((_request, response) => response.writeHead(status).end(text));
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const refused = await deadLetters(folder.path);
    server.closeAllConnections();
    server.close();
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, reason);
    assert.equal(refused.stderr.trim().split("\n").length, 1, refused.stderr);
  }
});
