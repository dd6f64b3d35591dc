/** What `agentrt doctor` finds, with ports that are held, stores that are there and certificates that end. */
import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { createCertificates, createTemporaryFolder, skipUnless } from "testkit";
import { checkCertificates, checkLimits, checkNode, type Finding } from "./doctor/index.ts";
import { agentrt } from "./test-support/agentrt.ts";
import { usual, withStates } from "./test-support/saved-states.ts";

const tree = (children: string, plugins = ""): string =>
  `${plugins}supervision:\n  name: root\n  children:\n${children}`;
const gateway = (config: string): string =>
  tree(`    - { name: api, type: http_gateway, config: { ${config} } }\n`);

interface Report {
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

async function doctor(
  directory: string,
  words: readonly string[] = [],
  environment: { readonly [name: string]: string } = {},
): Promise<Report & { readonly exitCode: number }> {
  const outcome = await agentrt(["doctor", "--json", ...words], { directory, environment });
  assert.equal(outcome.stderr, "");
  return { ...(JSON.parse(outcome.stdout) as Report), exitCode: outcome.exitCode };
}

const told = (report: Report, check: Finding["check"]): string[] =>
  report.findings
    .filter((finding) => finding.check === check)
    .map(({ state, message }) => `${state}: ${message}`);

test("a port that another program holds is a fault, and one of the running topology is none", async () => {
  using folder = createTemporaryFolder();
  await using server = createServer((_, response) => response.end('{"status":"ok"}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  folder.write({ "topology.yaml": gateway(`host: 127.0.0.1, port: ${port}`) });
  const held = await doctor(folder.path);
  assert.equal(held.exitCode, 1);
  assert.deepEqual(told(held, "listeners"), [
    `failed: tcp port ${port} of "api" at 127.0.0.1 is held by another program`,
  ]);
  // The same port, where a control plane answers: the topology runs.
  const config = `{ host: 127.0.0.1, port: ${port} }`;
  folder.write({
    "topology.yaml": tree(`    - { name: ops, type: topology_server, config: ${config} }\n`),
  });
  const running = await doctor(folder.path);
  assert.deepEqual(
    [running.exitCode, running.healthy, told(running, "listeners")],
    [
      0,
      true,
      [`ok: tcp port ${port} of "ops" at 127.0.0.1 is held; the topology answers, so it runs`],
    ],
  );
});

test("an address of another machine is a fault; open to the network is a warning, and a fault with --strict", async () => {
  using folder = createTemporaryFolder();
  folder.write({
    "far.yaml": gateway("host: 192.0.2.1, port: 0, grpc_enabled: true, grpc_port: 0"),
    "open.yaml": gateway("host: 0.0.0.0, port: 0"),
    "guarded.yaml": gateway(
      "host: 0.0.0.0, port: 0, middleware: [agentrt.gateway.auth.require_api_key]",
    ),
    "logged.yaml": gateway("host: 0.0.0.0, port: 0, middleware: [mine.logger]"),
    // Each route is guarded, and what is published beside them is not.
    "published.yaml": tree(
      `    - agent: { name: desk, type: agents.Desk }
    - name: api
      type: http_gateway
      config:
        port: 0
        routes: [{ method: GET, path: /, agent: desk, middleware: [agentrt.gateway.auth.require_api_key] }]
        publish: { agents: [desk] }
`,
    ),
  });
  const far = await doctor(folder.path, ["far.yaml"]);
  assert.equal(far.exitCode, 1);
  assert.match(told(far, "listeners")[0] ?? "", /^failed: .* is at no address of this machine$/);
  const open = await doctor(folder.path, ["open.yaml"]);
  assert.equal(open.exitCode, 0);
  const openly = `warning: "api" serves routes to agents at 0.0.0.0, and nothing of agentrt there asks who comes`;
  assert.deepEqual(told(open, "network"), [openly]);
  const strict = await doctor(folder.path, ["open.yaml", "--strict"]);
  assert.deepEqual([strict.exitCode, strict.healthy], [1, false]);
  for (const file of ["logged.yaml", "published.yaml"])
    assert.deepEqual(told(await doctor(folder.path, [file]), "network"), [openly], file);
  assert.match(
    told(await doctor(folder.path, ["guarded.yaml"]), "network")[0] ?? "",
    /^warning: .* in clear text: credentials can be read on their way$/,
  );
});

test("a state store is opened, its keys are looked for, and who else may read it is told", async () => {
  using folder = await withStates(usual);
  const sqlite = "{ type: sqlite, config: { db_path: agency_state.db } }";
  folder.write({
    "agents.ts":
      'import { Agent } from "agentrt";\nexport class A extends Agent { override handle() {} }\n',
    "topology.yaml": tree(
      "    - { name: a, type: agents.A }\n",
      `plugins:\n  state:\n    type: encrypted\n    config: { store: ${sqlite} }\n`,
    ),
    "absent.yaml": tree(
      "    - { name: a, type: agents.A }\n",
      "plugins:\n  state: { type: sqlite, config: { db_path: no/such/folder/s.db } }\n",
    ),
  });
  chmodSync(join(folder.path, "agency_state.db"), 0o644);
  const { exitCode, ...report } = await doctor(folder.path);
  assert.equal(exitCode, 1);
  const state = told(report, "state");
  assert.match(state[0] ?? "", /^failed: .*AGENTRT_STATE_KEY: it is not set$/);
  assert.match(state[1] ?? "", /^ok: ".*agency_state\.db" opens, with 4 saved states$/);
  assert.match(state[2] ?? "", /^warning: .* may be read by other users \(0644\)$/);
  const keyed = await doctor(folder.path, [], {
    AGENTRT_STATE_KEY: Buffer.alloc(32, 1).toString("base64"),
  });
  assert.deepEqual([keyed.exitCode, told(keyed, "state")[0]], [0, "ok: the key of states is set"]);
  const absent = await doctor(folder.path, ["absent.yaml"]);
  assert.match(told(absent, "state")[0] ?? "", /^failed: .* may not write to its folder$/);
});

test(
  "a certificate is told before it ends, and is a fault afterwards",
  { skip: skipUnless("openssl") },
  async () => {
    using certificates = createCertificates();
    using folder = createTemporaryFolder();
    const { serverCertificate, serverKey, foreignKey } = certificates;
    const tls = (key: string): string =>
      gateway(`host: 127.0.0.1, port: 0, tls_cert: ${serverCertificate}, tls_key: ${key}`);
    chmodSync(serverKey, 0o640);
    folder.write({ "topology.yaml": tls(serverKey), "foreign.yaml": tls(foreignKey) });
    const report = await doctor(folder.path);
    assert.equal(report.exitCode, 0);
    const [ending, readable] = told(report, "certificates");
    assert.match(ending ?? "", /^warning: .* holds until \d{4}-\d\d-\d\d, \d days?$/);
    assert.match(readable ?? "", /^warning: key .* may be read by other users \(0640\)$/);
    const foreign = await doctor(folder.path, ["foreign.yaml"]);
    assert.match(
      told(foreign, "certificates")[0] ?? "",
      /^failed: .*it is not the key of tls_cert/,
    );
    const listener = {
      name: "api",
      host: "127.0.0.1",
      certs: { tls: { tlsCert: serverCertificate, tlsKey: serverKey } },
    } as unknown as Parameters<typeof checkCertificates>[0][number];
    const at = (text: string): string | undefined =>
      checkCertificates([listener], Date.parse(text))[0]?.message;
    assert.match(at("2200-01-01") ?? "", / has expired on /);
    assert.match(at("2001-01-01") ?? "", / does not hold before /);
  },
);

test("an old Node and few files are told; a file that is not valid is a fault with its place", async () => {
  assert.equal(checkNode("24.11.0")[0]?.state, "failed");
  assert.equal(checkNode("24.12.0")[0]?.state, "ok");
  using folder = createTemporaryFolder();
  folder.write({
    limits:
      "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n",
    "topology.yaml": gateway("host: 127.0.0.1, prot: 1"),
  });
  const path = join(folder.path, "limits");
  assert.equal(checkLimits({ hasListeners: true, path })[0]?.state, "warning");
  assert.equal(checkLimits({ hasListeners: false, path })[0]?.state, "ok");
  const outcome = await agentrt(["doctor"], { directory: folder.path });
  assert.equal(outcome.exitCode, 1);
  assert.match(
    outcome.stdout,
    /✗ topology\.yaml:4:\d+: .*unknown key "prot"; did you mean "port"\?[\s\S]*\n1 fault, 0 warnings\n$/,
  );
  const missing = await agentrt(["doctor", "none.yaml"], { directory: folder.path });
  assert.deepEqual([missing.exitCode, missing.stdout], [1, ""]);
});
