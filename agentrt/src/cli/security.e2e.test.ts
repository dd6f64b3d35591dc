/** `agentrt security init zmq`, and processes whose messages are encrypted with what it writes. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { parse } from "yaml";
import {
  agentrtLauncher,
  createCertificates,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const binary = agentrtLauncher();
const keyNames = [
  "zmq_server.pub",
  "zmq_server.key",
  "zmq_client.pub",
  "zmq_client.key",
  "zmq_allowed_clients.txt",
] as const;

async function initKeys(folder: { readonly path: string }, ...words: string[]) {
  const all = [binary, "security", "init", "zmq", ...words];
  return await runProgram(process.execPath, all, { workingDirectory: folder.path });
}

test("security init zmq writes key pairs, an allowlist and YAML without secrets, and overwrites only with --force", async () => {
  using folder = createTemporaryFolder();
  const first = await initKeys(folder, "--out", "keys");
  assert.equal(first.code, 0, first.stderr);
  assert.equal(
    first.stdout,
    'security:\n  transport:\n    zmq:\n      curve:\n        key_dir: "keys"\n',
  );
  const read = () => keyNames.map((name) => readFileSync(join(folder.path, "keys", name), "utf8"));
  const contents = read();
  const [serverPublic = "", serverSecret = "", clientPublic = "", clientSecret = "", allowed = ""] =
    contents;
  for (const key of [serverPublic, serverSecret, clientPublic, clientSecret])
    assert.match(key, /^\S{40}\n$/);
  assert.equal(new Set(contents).size, 5);
  assert.ok(allowed.includes(`\n${clientPublic.trim()} client\n`), allowed);
  for (const secret of [serverSecret, clientSecret])
    assert.ok(!`${first.stdout}${first.stderr}${allowed}`.includes(secret.trim()));
  const modes = keyNames.map((name) => statSync(join(folder.path, "keys", name)).mode & 0o777);
  assert.deepEqual(modes, [0o644, 0o600, 0o644, 0o600, 0o644]);
  assert.equal(statSync(join(folder.path, "keys")).mode & 0o777, 0o700);

  const again = await initKeys(folder, "--out", "keys");
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(
    again.stderr,
    /^agentrt: Cannot write keys to "keys": zmq_server\.pub, .*zmq_allowed_clients\.txt are there already/,
  );
  assert.deepEqual(read(), contents);
  chmodSync(join(folder.path, "keys", "zmq_client.key"), 0o644);
  const forced = await initKeys(folder, "--out", "keys", "--force");
  assert.equal(forced.code, 0, forced.stderr);
  assert.ok(read().every((content, index) => content !== contents[index]));
  assert.equal(statSync(join(folder.path, "keys", "zmq_client.key")).mode & 0o777, 0o600);
  writeFileSync(join(folder.path, "file"), "");
  const failed = await initKeys(folder, "--out", "file");
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /^agentrt: Cannot write keys to "[^"]*file": /);
});

const agents = `
import { Agent } from "agentrt";
export class Desk extends Agent {
  override async handle() { return { pid: process.pid }; }
}
`;

interface Ports {
  readonly pub: number;
  readonly sub: number;
  readonly http: number;
}

const topology = (ports: Ports, curve: string): string => `transport:
  type: zmq
  pub_addr: tcp://127.0.0.1:${ports.pub}
  sub_addr: tcp://127.0.0.1:${ports.sub}
security: { transport: { zmq: { curve: ${curve} } } }
supervision:
  name: root
  children:
    - { name: desk, type: agents.Desk, process: back }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${ports.http}, routes: [{ method: GET, path: /desk, agent: desk }] }
`;

/** Asks until a worker serves. */
async function askDesk(port: number): Promise<void> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/desk`);
    const text = await response.text();
    if (response.status === 200) return;
    assert.match(String(response.status), /^50[23]$/, text);
    await new Promise(setImmediate);
  }
}

test("a worker with a listed key serves; one whose key is not listed is refused and says so, and gets in once it is", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  const ports = { pub: await freePort(), sub: await freePort(), http: await freePort() };
  for (const out of ["keys", "other"]) assert.equal((await initKeys(folder, "--out", out)).code, 0);
  const keyOf = (name: string): string => readFileSync(join(folder.path, name), "utf8").trim();
  const stranger = keyOf("other/zmq_client.pub");
  folder.write({
    "topology.yaml": topology(ports, "{ key_dir: keys }"),
    // What it has of its own comes from the environment, the rest from the folder.
    "other.yaml": topology(
      ports,
      '{ key_dir: keys, client_public_key: "${PUBLIC}", client_secret_key: "${SECRET}" }',
    ),
  });
  const start = (...words: string[]) =>
    startProgram(process.execPath, [binary, "run", ...words], {
      workingDirectory: folder.path,
      environment: { PUBLIC: stranger, SECRET: keyOf("other/zmq_client.key") },
    });
  await using supervisor = start();
  await supervisor.waitFor(/started; Ctrl\+C stops/);
  await using worker = start("--process", "back");
  await askDesk(ports.http);
  worker.kill("SIGTERM");
  assert.equal((await worker.exited()).code, 0);

  await using other = start("--process", "back", "-t", "other.yaml", "--substitute-env");
  await other.waitFor(
    /does not let this process in.*does not allow the public key of this process/,
  );
  await supervisor.waitFor(/a process was refused at the proxy: its key is not allowed/);
  const list = join(folder.path, "keys", "zmq_allowed_clients.txt");
  writeFileSync(list, `${readFileSync(list, "utf8")}${stranger} other\n`);
  await askDesk(ports.http);
  for (const program of [other, supervisor]) {
    program.kill("SIGTERM");
    const { code, stdout, stderr } = await program.exited();
    assert.equal(code, 0, stderr);
    for (const name of ["keys/zmq_server.key", "keys/zmq_client.key", "other/zmq_client.key"])
      assert.ok(!`${stdout}${stderr}`.includes(keyOf(name)));
  }
});

test("run says which key it cannot use, and why", async () => {
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
    "short.yaml": topology({ pub: 1, sub: 2, http: 3 }, '{ client_public_key: "abc" }'),
    "keys.yaml": topology({ pub: 1, sub: 2, http: 3 }, "{ key_dir: keys }"),
    "list.yaml": topology(
      { pub: 1, sub: 2, http: 3 },
      "{ key_dir: keys, allowed_clients: list.txt }",
    ),
    "list.txt": "# nobody\n\nabc somebody\n",
  });
  const run = async (file: string): Promise<string> => {
    const { code, stderr } = await runProgram(process.execPath, [binary, "run", file], {
      workingDirectory: folder.path,
    });
    assert.equal(code, 1, stderr);
    return stderr;
  };
  const head = "Cannot use (\\w+) of security\\.transport\\.zmq\\.curve: ";
  assert.match(
    await run("short.yaml"),
    new RegExp(`${head}it holds no key, which is 40 characters of Z85`),
  );
  assert.match(
    await run("keys.yaml"),
    new RegExp(`${head}"keys/zmq_client\\.pub" cannot be read: .*no such file`),
  );
  await initKeys(folder, "--out", "keys");
  assert.match(
    await run("list.yaml"),
    new RegExp(`${head}line 3 of "list\\.txt" begins with no key of 40 characters`),
  );
  chmodSync(join(folder.path, "keys", "zmq_client.key"), 0o640);
  assert.match(
    await run("keys.yaml"),
    new RegExp(
      `${head}other users may use "keys/zmq_client\\.key", which has mode 640: run .chmod 600.`,
    ),
  );
});

test("security init nats prints YAML for files that belong together with how long they hold, and else one line that says what is wrong", async () => {
  using folder = createTemporaryFolder();
  using certificates = createCertificates();
  using expired = createCertificates({ isExpired: true });
  const { clientCertificate, clientKey, ca, serverKey, foreignCertificate, foreignKey } =
    certificates;
  const init = async (cert: string, key: string, authority: string) => {
    const files = ["--cert", cert, "--key", key, "--ca", authority];
    const words = [binary, "security", "init", "nats", ...files];
    return await runProgram(process.execPath, words, { workingDirectory: folder.path });
  };
  const good = await init(clientCertificate, clientKey, ca);
  assert.equal(good.code, 0, good.stderr);
  const keys = { enabled: true, cert: clientCertificate, key: clientKey, ca };
  assert.deepEqual(parse(good.stdout), { security: { transport: { nats: { tls: keys } } } });
  assert.match(good.stderr, /client\.pem" \(.*CN=client\) holds until \d{4}-\d\d-\d\d, \d days?\n/);
  assert.match(good.stderr, /ca\.pem" \(CN=ca\) holds until /);
  const secret = readFileSync(clientKey, "utf8").split("\n")[1] ?? "";
  assert.ok(secret.length > 20 && !`${good.stdout}${good.stderr}`.includes(secret));
  const text = join(folder.path, "text.pem");
  writeFileSync(text, "no certificate\n");
  const rows: readonly (readonly [cert: string, key: string, ca: string, message: RegExp])[] = [
    [
      clientCertificate,
      serverKey,
      ca,
      /server\.key" for TLS: it is not the key of the certificate in ".*client\.pem"/,
    ],
    [
      foreignCertificate,
      foreignKey,
      ca,
      /ca\.pem" for TLS: it has not signed the certificate in "[^"]*", whose issuer is CN=foreign-ca/,
    ],
    [
      expired.clientCertificate,
      expired.clientKey,
      expired.ca,
      /for TLS: the certificate of .*CN=client has expired on \d{4}-/,
    ],
    [text, clientKey, ca, /text\.pem" for TLS: it holds no certificate in PEM form/],
    [clientCertificate, text, ca, /text\.pem" for TLS: it holds no private key in PEM form/],
    [
      clientCertificate,
      clientKey,
      "missing.pem",
      /missing\.pem" for TLS: it cannot be read: there is no such file/,
    ],
  ];
  for (const [cert, key, authority, message] of rows) {
    const exit = await init(cert, key, authority);
    assert.deepEqual([exit.code, exit.stdout], [1, ""]);
    assert.match(exit.stderr, /^agentrt: Cannot use "[^\n]*\n$/);
    assert.match(exit.stderr, message);
  }
});
