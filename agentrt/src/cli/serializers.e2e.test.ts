/** Messages between processes as MessagePack and as JSON, over a real broker, and what becomes of those that nobody can read. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { createRealSystem } from "../core/index.ts";
import { NatsLink } from "../links/index.ts";
import { type Envelope, serializerNamed } from "../wire/index.ts";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  type Program,
  runProgram,
  skipUnless,
  startNats,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();
const skip = skipUnless("nats-server");

const agents = `
import { Agent } from "agentrt";
export class Front extends Agent {
  override async handle({ payload }) { return await this.call("desk", payload); }
}
export class Desk extends Agent {
  override async handle({ payload }) { return payload; }
}
`;

const topology = (
  url: string,
  port: number,
): string => `transport: { type: nats, servers: "${url}" }
supervision:
  name: root
  children:
    - { name: front, type: agents.Front }
    - { name: desk, type: agents.Desk, process: back }
    - { name: api, type: http_gateway, config: { host: 127.0.0.1, port: ${port}, routes: [{ method: POST, path: /ask, agent: front }] } }
`;

/** What is hard to write: an empty name, a name of prototypes, no characters of ASCII, numbers at the ends. */
const payload = JSON.parse(
  '{"": [], "__proto__": {"a": null}, "ünï": "\\ud83d\\ude00", "n": [9007199254740991, -0.5, 1e308], "t": true}',
) as object;

async function ask(port: number): Promise<unknown> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    }).catch(() => undefined);
    if (response?.status === 200) return await response.json();
    await response?.body?.cancel();
    await new Promise(setImmediate);
  }
}

function run(folder: string, serializer: string, ...words: string[]): Program {
  const environment = { AGENCY_SERIALIZER: serializer };
  return startProgram(process.execPath, [binary, "run", ...words], {
    workingDirectory: folder,
    environment,
  });
}

for (const name of ["msgpack", "json"] as const)
  test(
    `processes with AGENCY_SERIALIZER=${name} understand each other; a message of a newer schema and one of the other serializer are refused in one line`,
    { skip },
    async () => {
      await using server = await startNats();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "agents.ts": agents,
        "topology.yaml": topology(server.url, port),
      });
      const link = new NatsLink({
        servers: [server.url],
        name: "other",
        system: createRealSystem(),
        onEvent: () => undefined,
      });
      await link.start();
      const heard = Promise.withResolvers<Uint8Array>();
      await link.subscribe("desk", (bytes) => heard.resolve(bytes));
      await using supervisor = run(folder.path, name);
      await using worker = run(folder.path, name, "--process", "back");
      assert.deepEqual(await ask(port), payload);
      const bytes = await heard.promise;
      assert.equal(bytes[0] === 0x7b, name === "json");
      const own = serializerNamed(name);
      const other = serializerNamed(name === "json" ? "msgpack" : "json");
      const envelope = own.decode(bytes);
      const newer: Envelope = { ...envelope, schema_version: 2 };
      link.publish("desk", own.encode(newer));
      await worker.waitFor(/warn .*not taken.*schema_version 2, and this version knows 1/);
      link.publish("desk", other.encode(envelope));
      await worker.waitFor(/warn .*not taken.*Cannot read a message of another process: /);
      assert.deepEqual(await ask(port), payload);
      await link.stop();
      for (const program of [worker, supervisor]) {
        program.kill("SIGTERM");
        assert.equal((await program.exited()).code, 0);
      }
    },
  );

test("another AGENCY_SERIALIZER is one line that names both that there are", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology("nats://127.0.0.1:1", 1),
  });
  const exit = await runProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { AGENCY_SERIALIZER: "messagepack" },
  });
  assert.equal(exit.code, 2);
  assert.match(
    exit.stderr,
    /^agentrt: Cannot read AGENCY_SERIALIZER: found "messagepack", wanted "msgpack" or "json"[^\n]*\n$/,
  );
});
