/** `agentrt run` over NATS with JetStream, TLS and an nkey: messages and states outlive a worker, and what is wrong is said in one line. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import {
  agentrtLauncher,
  createCertificates,
  createTemporaryFolder,
  freePort,
  runProgram,
  skipUnless,
  startNats,
  startProgram,
} from "testkit";

const skip = skipUnless("nats-server", "openssl");
const binary = agentrtLauncher();

const agents = `
import { existsSync, writeFileSync } from "node:fs";
import { Agent } from "agentrt";

export class Desk extends Agent {
  override async handle({ payload }) {
    if (payload.say === undefined) return { count: this.state["count"] ?? 0, pid: process.pid };
    if (payload.say === "hang" && !existsSync("hung")) {
      writeFileSync("hung", "");
      console.log("hanging;");
      await new Promise(() => undefined);
    }
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    console.log("counted " + this.state["count"] + ";");
  }
}
`;

interface Files {
  readonly url: string;
  readonly port: number;
  readonly tls: string;
}

const topology = ({ url, port, tls }: Files): string => `transport:
  type: nats
  servers: "${url}"
  jetstream: true
plugins:
  state: { type: nats_kv }
security:
  transport:
    nats:
      tls: ${tls}
      nkey_seed: TEST_NKEY_SEED
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - agent: { name: desk, type: agents.Desk, process: back }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        routes:
          - { method: POST, path: /desk, agent: desk, mode: cast }
          - { method: GET, path: /count, agent: desk }
`;

async function tell(port: number, say: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/desk`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ say }),
  });
  await response.text();
  return response.status;
}

test(
  "run with jetstream: what is cast while the worker is away, or dies with it, is handled by the next one, with its state",
  { skip },
  async () => {
    using certificates = createCertificates();
    using others = createCertificates();
    const { nkeys } = createRequire(import.meta.url)("@nats-io/transport-node") as {
      readonly nkeys: { createUser(): { getPublicKey(): string; getSeed(): Uint8Array } };
    };
    const user = nkeys.createUser();
    await using server = await startNats({
      jetStream: true,
      configuration: `tls {
  cert_file: "${certificates.serverCertificate}"
  key_file: "${certificates.serverKey}"
  ca_file: "${certificates.ca}"
  verify: true
}
authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`,
    });
    const port = await freePort();
    const own = `cert: "${certificates.clientCertificate}", key: "${certificates.clientKey}"`;
    const { url } = server;
    using folder = createTemporaryFolder({
      "topology.yaml": topology({ url, port, tls: `{ ca: "${certificates.ca}", ${own} }` }),
      "other.yaml": topology({ url, port, tls: `{ ca: "${others.ca}", ${own} }` }),
      "half.yaml": topology({ url, port, tls: `{ ca: "${others.ca}", cert: "x.pem" }` }),
      "agents.ts": agents,
      "package.json": '{"type":"module"}',
    });
    const options = {
      workingDirectory: folder.path,
      environment: { TEST_NKEY_SEED: new TextDecoder().decode(user.getSeed()) },
    };
    const start = (...words: string[]) =>
      startProgram(process.execPath, [binary, "run", ...words], options);
    await using supervisor = start();
    await supervisor.waitFor(/started; Ctrl\+C stops/);
    assert.equal(await tell(port, "hello"), 202);
    assert.equal(await tell(port, "hello"), 202);

    await using first = start("--process", "back");
    await first.waitFor(/counted 2;/);
    assert.equal(await tell(port, "hang"), 202);
    await first.waitFor(/hanging;/);
    assert.equal(await tell(port, "behind"), 202);
    first.kill("SIGKILL");
    await first.exited();
    await using second = start("--process", "back");
    await second.waitFor(/counted 4;/);
    let counted: { readonly count?: number } = {};
    while (counted.count !== 4)
      counted = (await (await fetch(`http://127.0.0.1:${port}/count`)).json()) as typeof counted;
    for (const program of [supervisor, second]) {
      program.kill("SIGTERM");
      assert.equal((await program.exited()).code, 0);
    }

    for (const [file, reason] of [
      [
        "other.yaml",
        /Cannot open state bucket "agentrt_state at \S+": its certificate is not signed by the authority in `ca`\. /,
      ],
      [
        "half.yaml",
        /Cannot use cert of security\.transport\.nats\.tls: "x\.pem" cannot be read: ENOENT/,
      ],
    ] as const) {
      const refused = await runProgram(process.execPath, [binary, "run", file], options);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, reason);
      assert.doesNotMatch(refused.stderr, /\n\s+at /);
    }
    const { environment: _, ...unset } = options;
    const unnamed = await runProgram(process.execPath, [binary, "run"], unset);
    assert.equal(unnamed.code, 1);
    assert.match(
      unnamed.stderr,
      /Cannot use nkey_seed of security\.transport\.nats: the environment variable TEST_NKEY_SEED is not set/,
    );
  },
);

test("run with jetstream ends with one line where the server has none", { skip }, async () => {
  await using server = await startNats();
  using folder = createTemporaryFolder({
    "topology.yaml": `transport: { type: nats, servers: "${server.url}", jetstream: true, stream_name: DESKS }
supervision: { name: root, children: [{ agent: { name: desk, type: agents.Desk } }] }
`,
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  const refused = await runProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
  });
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /Cannot find out which supervisor leads at nats:\S+: JetStream is not enabled on the server, or not for this account\. /,
  );
  assert.doesNotMatch(refused.stderr, /\n\s+at /);
});
