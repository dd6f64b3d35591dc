/** Signed messages between processes: strangers on the broker forge, replay and alter, and nobody handles what they send. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createRealSystem } from "../core/index.ts";
import { type Link, NatsLink, ZmqLink } from "../links/index.ts";
import { readSealedMessage, sealMessage, serializerNamed } from "../wire/index.ts";
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

const agents = `
import { Agent } from "agentrt";
export class Front extends Agent {
  override async handle({ payload }) { return await this.call("desk", payload); }
}
export class Desk extends Agent {
  override async handle({ payload, sender }) {
    console.log("handled;" + JSON.stringify(payload) + ";" + sender);
    return { said: payload.say ?? null };
  }
}
`;

const topology = (
  transport: string,
  port: number,
  signing: string,
): string => `transport: ${transport}
security: ${signing}
audit: { sink: jsonl }
supervision:
  name: root
  children:
    - { name: front, type: agents.Front }
    - { name: desk, type: agents.Desk, process: back }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes: [{ method: POST, path: /ask, agent: front }]
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

const auto = "{ signing: { enabled: true }, identity: { key_dir: keys } }";

async function ask(port: number, say: string): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/ask`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ say }),
    }).catch(() => undefined);
    if (response?.status === 200) {
      assert.deepEqual(await response.json(), { said: say });
      return;
    }
    await response?.body?.cancel();
    await new Promise(setImmediate);
  }
}

/** Which messages the processes have refused, by reason, apart from reasons that have not occurred. */
async function refusals(port: number): Promise<{ readonly [series: string]: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const rows = text.matchAll(/^agentrt_link_messages_refused_total\{([^}]*)\} (\d+)$/gm);
  const counts: { [series: string]: number } = {};
  for (const [, labels = "", count] of rows) {
    const reason = /reason="(\w+)"/.exec(labels)?.[1] ?? "";
    if (Number(count) > 0) counts[reason] = (counts[reason] ?? 0) + Number(count);
  }
  return counts;
}

interface TransportCase {
  readonly name: string;
  readonly skip: string | false;
  /** Starts its broker, where it has one; `stranger` is a client of it that has no keys. */
  readonly open: () => Promise<
    AsyncDisposable & { readonly section: string; readonly stranger: () => Link }
  >;
}

const cases: readonly TransportCase[] = [
  {
    name: "nats",
    skip: skipUnless("nats-server"),
    open: async () => {
      const server = await startNats();
      return {
        section: `{ type: nats, servers: "${server.url}" }`,
        stranger: () =>
          new NatsLink({
            servers: [server.url],
            name: "stranger",
            system: createRealSystem(),
            onEvent: () => undefined,
          }),
        [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "zmq",
    skip: false,
    open: async () => {
      const [pub, sub] = [await freePort(), await freePort()];
      const addresses = {
        pubAddress: `tcp://127.0.0.1:${pub}`,
        subAddress: `tcp://127.0.0.1:${sub}`,
      };
      return {
        section: `{ type: zmq, pub_addr: "${addresses.pubAddress}", sub_addr: "${addresses.subAddress}" }`,
        stranger: () =>
          new ZmqLink({
            ...addresses,
            isProxyStarted: false,
            system: createRealSystem(),
            onEvent: () => undefined,
          }),
        [Symbol.asyncDispose]: async () => {},
      };
    },
  },
];

function start(folder: string, ...words: string[]): Program {
  return startProgram(process.execPath, [binary, "run", ...words], { workingDirectory: folder });
}

for (const { name, skip, open } of cases) {
  test(
    `a stranger on ${name} who forges, replays or alters messages reaches nobody, and each try is counted, logged and audited`,
    { skip },
    async () => {
      await using broker = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "agents.ts": agents,
        "topology.yaml": topology(broker.section, port, auto),
      });
      await using supervisor = start(folder.path);
      await using worker = start(folder.path, "--process", "back");
      await ask(port, "first");
      for (const signer of ["supervisor", "back"]) {
        const modes = ["id_ed25519", "id_ed25519.pub"].map(
          (file) => statSync(join(folder.path, "keys", signer, file)).mode & 0o777,
        );
        assert.deepEqual(modes, [0o600, 0o644]);
      }
      const stranger = broker.stranger();
      await stranger.start();
      const heard: Uint8Array[] = [];
      const captured = Promise.withResolvers<Uint8Array>();
      await stranger.subscribe("desk", (bytes) => {
        heard.push(bytes);
        captured.resolve(bytes);
      });
      await ask(port, "captured");
      const sealed = await captured.promise;
      const read = readSealedMessage(sealed);
      assert.ok(read !== undefined);
      assert.equal(read.signer, "supervisor");
      const serializer = serializerNamed(undefined);
      const envelope = serializer.decode(read.message);
      assert.deepEqual(envelope.payload, { say: "captured" });
      const forged = serializer.encode({ ...envelope, id: "forged", payload: { say: "forged" } });
      // As it would come without signatures; by a signer nobody has; with the signature of another message; a copy.
      stranger.publish("desk", forged);
      stranger.publish("desk", sealMessage({ ...read, signer: "mallory" }, read.value));
      stranger.publish("desk", sealMessage({ ...read, message: forged }, read.value));
      stranger.publish("desk", sealed);
      // A good one that went to another name.
      stranger.publish("front", sealed);
      await stranger.flush();
      const wanted = { unsigned: 1, unknown_signer: 1, bad_signature: 2, replayed: 1 };
      while (Object.values(await refusals(port)).reduce((sum, count) => sum + count, 0) < 5);
      assert.deepEqual(await refusals(port), wanted);
      await ask(port, "last");
      const handled = [...worker.output.matchAll(/^handled;(.*);(.*)$/gm)].map(
        ([, said = ""]) => said,
      );
      assert.deepEqual(
        [...new Set(handled)],
        ['{"say":"first"}', '{"say":"captured"}', '{"say":"last"}'],
      );
      assert.equal(handled.filter((said) => said.includes("captured")).length, 1);
      assert.match(
        worker.output,
        /warn .*a message of another process is refused.*it has no signature/,
      );
      assert.match(worker.output, /is refused.*it has come before/);
      await stranger.stop();
      for (const program of [worker, supervisor]) {
        program.kill("SIGTERM");
        const exit = await program.exited();
        assert.equal(exit.code, 0, exit.stderr);
      }
      const audit = readFileSync(join(folder.path, "agentrt_audit.jsonl"), "utf8");
      assert.match(audit, /"signing".*bad_signature|bad_signature.*"signing"/);
    },
  );
}

test(
  "a signed call that nobody answers in time ends by its time limit, over each transport, and the next one is served",
  { skip: skipUnless("nats-server") },
  async () => {
    for (const { open } of cases) {
      await using broker = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "agents.ts": `
import { Agent } from "agentrt";
export class Front extends Agent {
  override async handle({ payload }) {
    try {
      return await this.call("desk", payload, { timeoutMs: payload.say === "never" ? 200 : 30_000 });
    } catch (error) {
      return { code: error.code };
    }
  }
}
export class Desk extends Agent {
  override async handle({ payload }) {
    if (payload.say === "never") await new Promise(() => undefined);
    return { said: payload.say };
  }
}
`,
        "topology.yaml": topology(broker.section, port, auto).replace(
          "process: back",
          "process: back, concurrency: 2",
        ),
      });
      await using supervisor = start(folder.path);
      await using worker = start(folder.path, "--process", "back");
      void worker;
      const say = async (text: string): Promise<unknown> =>
        await (
          await fetch(`http://127.0.0.1:${port}/ask`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ say: text }),
          })
        ).json();
      await supervisor.waitFor(/a worker is there/);
      let first = await say("first");
      // Until the agent of the worker has started.
      while (!("said" in (first as object))) first = await say("first");
      assert.deepEqual(await say("never"), { code: "AGENTRT_BUS_TIMEOUT" });
      assert.deepEqual(await say("next"), { said: "next" });
      assert.deepEqual(await refusals(port), {});
    }
  },
);

test("security init signing writes keys for each process; provisioned keys are not made, and open ones are refused", async () => {
  const port = await freePort();
  const [pub, sub] = [await freePort(), await freePort()];
  const zmq = `{ type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }`;
  const provisioned = "{ signing: { enabled: true }, identity: { mode: provisioned } }";
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": topology(zmq, port, provisioned),
  });
  const missing = await start(folder.path).exited();
  assert.equal(missing.code, 1);
  assert.match(
    missing.stderr,
    /^agentrt: .*there is no "agentrt-keys\/supervisor\/id_ed25519": run `agentrt security init signing`/m,
  );
  const words = [binary, "security", "init", "signing"];
  const made = await runProgram(process.execPath, words, { workingDirectory: folder.path });
  assert.equal(made.code, 0, made.stderr);
  assert.match(
    made.stdout,
    /^security:\n {2}signing:\n {4}enabled: true\n {2}identity:\n {4}mode: provisioned\n/,
  );
  const secret = join(folder.path, "agentrt-keys", "back", "id_ed25519");
  const seed = readFileSync(secret, "utf8").trim();
  assert.equal(Buffer.from(seed, "base64").length, 32);
  assert.ok(!`${made.stdout}${made.stderr}`.includes(seed));
  const again = await runProgram(process.execPath, words, { workingDirectory: folder.path });
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  chmodSync(secret, 0o644);
  const open = await start(folder.path, "--process", "back").exited();
  assert.equal(open.code, 1);
  assert.match(
    open.stderr,
    /other users may use .*id_ed25519", which has mode 644: run `chmod 600`/,
  );
  chmodSync(secret, 0o600);
  await using supervisor = start(folder.path);
  await using worker = start(folder.path, "--process", "back");
  await ask(port, "hello");
  worker.kill("SIGTERM");
  assert.equal((await worker.exited()).code, 0);
  supervisor.kill("SIGTERM");
  assert.equal((await supervisor.exited()).code, 0);
});
