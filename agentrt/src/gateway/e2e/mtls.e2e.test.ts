/** Clients' certificates from YAML, through `agentrt run`, over TLS connections and behind a proxy. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect as connectHttp2, type SecureClientSessionOptions } from "node:http2";
import { request } from "node:https";
import { after, test } from "node:test";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { join } from "node:path";
import { createCertificates, createTemporaryFolder, freePort, type Program } from "testkit";
import { echoGateway, startTopology } from "./test-support/running-topology.ts";
import { agentrt } from "../../cli/test-support/agentrt.ts";
import { Http3Client } from "../http3/test-support/http3-client.ts";

const files = createCertificates();
after(() => files[Symbol.dispose]());

const agents = `
import { Agent } from "agentrt";

export class Echo extends Agent {
  override async handle() {
    return { isEchoed: true };
  }
}
`;
const guards = `
import type { Middleware } from "agentrt";

export const tell: Middleware = async ({ auth, clientCert }) => ({ status: 200, body: { auth, clientCert } });
`;
const allowed = { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: "CN=client,O=Test" };
const required = "agentrt.gateway.mtls.require_client_cert";

function topology(port: number, config: string): string {
  return echoGateway(
    port,
    `
enable_http3: ${config.includes("tls_cert")}
port_quic: ${port}
routes: [{ method: GET, path: /, agent: echo, middleware: [guards.tell] }]
${config.trim()}
`,
  );
}

interface Running extends AsyncDisposable {
  readonly port: number;
  readonly output: () => string;
  readonly program: Program;
}

async function run(
  config: string,
  environment: { readonly [name: string]: string } = allowed,
): Promise<Running> {
  const port = await freePort();
  const running = await startTopology({
    topology: topology(port, config),
    files: { "agents.ts": agents, "guards.ts": guards },
    environment,
  });
  return {
    port,
    output: running.output,
    program: running.program,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const tls = `tls_cert: "${files.serverCertificate}"
tls_key: "${files.serverKey}"
tls_ca_cert: "${files.ca}"
`;
const read = (path: string): string => readFileSync(path, "utf8");
const ca = read(files.ca);
const client = { ca, cert: read(files.clientCertificate), key: read(files.clientKey) };
const foreign = { ca, cert: read(files.foreignCertificate), key: read(files.foreignKey) };
const ownServer = { ca, cert: read(files.serverCertificate), key: read(files.serverKey) };

/** Status and body over HTTP/1.1; `refused` when the connection was. */
function overHttp1(port: number, options: ConnectionOptions): Promise<readonly [unknown, unknown]> {
  return new Promise((resolve) => {
    const sent = request(
      { host: "localhost", port, path: "/", agent: false, ...options },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () => resolve([response.statusCode, JSON.parse(text)]));
      },
    );
    sent.on("error", () => resolve(["refused", undefined]));
    sent.end();
  });
}

/** The same over HTTP/2. */
function overHttp2(
  port: number,
  options: SecureClientSessionOptions,
): Promise<readonly [unknown, unknown]> {
  return new Promise((resolve) => {
    const session = connectHttp2(`https://localhost:${port}`, options);
    const refuse = (): void => {
      session.destroy();
      resolve(["refused", undefined]);
    };
    session.on("error", refuse);
    const stream = session.request({ ":path": "/" });
    let status: unknown;
    let text = "";
    stream.on("response", (headers) => {
      status = headers[":status"];
    });
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on("error", refuse);
    stream.on("end", () => {
      session.close();
      if (status === undefined) refuse();
      else resolve([status, JSON.parse(text)]);
    });
    stream.end();
  });
}

/** The same over HTTP/3, whose UDP port has the same number. */
async function overHttp3(
  port: number,
  options: { readonly ca?: string; readonly cert?: string; readonly key?: string },
): Promise<readonly [unknown, unknown]> {
  const material = Object.entries(options).map(([name, pem]) => [name, Buffer.from(pem)] as const);
  const connected = { host: "127.0.0.1", port, ...Object.fromEntries(material) };
  const asking = await Http3Client.connect(connected).catch(() => undefined);
  if (asking === undefined) return ["refused", undefined];
  const { status, text } = await asking.request("/").done;
  await asking.close();
  return status === undefined ? ["refused", undefined] : [status, JSON.parse(text)];
}

const clients = { "HTTP/1.1": overHttp1, "HTTP/2": overHttp2, "HTTP/3": overHttp3 };
const told = {
  auth: { id: "CN=client,O=Test", clientCert: { dn: "CN=client,O=Test" } },
  clientCert: { dn: "CN=client,O=Test", leafPem: new X509Certificate(client.cert).toString() },
};

test("required certificates: whoever shows none, or one of a foreign authority, has no connection", async () => {
  await using running = await run(`${tls}
auth: { middleware: [${required}], client_cert_mode: required }`);
  for (const [name, ask] of Object.entries(clients)) {
    assert.deepEqual(await ask(running.port, client), [200, told], name);
    assert.deepEqual(await ask(running.port, { ca }), ["refused", undefined], name);
    assert.deepEqual(await ask(running.port, foreign), ["refused", undefined], name);
    // Signed by the authority, but not for clients.
    assert.deepEqual(await ask(running.port, ownServer), ["refused", undefined], name);
  }
});

test("optional certificates: none gets 401, one of a foreign authority has no connection either", async () => {
  await using running = await run(`${tls}
middleware: [${required}]
client_cert_mode: optional`);
  for (const [name, ask] of Object.entries(clients)) {
    assert.deepEqual(await ask(running.port, client), [200, told], name);
    const missing = [401, { error: "client certificate required" }];
    assert.deepEqual(await ask(running.port, { ca }), missing, name);
    assert.deepEqual(await ask(running.port, foreign), ["refused", undefined], name);
    assert.deepEqual(await ask(running.port, ownServer), ["refused", undefined], name);
  }
});

test("a header says nothing where certificates come from the connection", async () => {
  await using running = await run(`${tls}
middleware: [${required}]
client_cert_mode: optional
trusted_proxy_cidrs: [127.0.0.0/8]`);
  const { raw } = new X509Certificate(client.cert);
  const headers = { "client-cert": `:${raw.toString("base64")}:` };
  const [status] = await overHttp1(running.port, { ca, headers } as ConnectionOptions);
  assert.equal(status, 401);
});

test("a session that is resumed keeps the certificate it began with", async () => {
  await using running = await run(`${tls}
middleware: [${required}]
client_cert_mode: required`);
  const first = await ask(running.port, client);
  assert.equal(first.status, "200");
  assert.ok(first.session !== undefined, "the server gave no session");
  const { session } = first;
  // Without the certificate: who it is comes from the session alone.
  const resumed = await ask(running.port, { ca, session });
  assert.ok(resumed.isReused, "the session was not resumed");
  assert.equal(resumed.status, "200");
});

interface Asked {
  readonly status: string | undefined;
  readonly session: Buffer | undefined;
  readonly isReused: boolean;
}

/** One request over a connection of its own, with its TLS session. */
function ask(port: number, options: ConnectionOptions): Promise<Asked> {
  return new Promise((resolve, reject) => {
    let session: Buffer | undefined;
    let text = "";
    let isReused = false;
    const socket: TLSSocket = connect({ host: "localhost", port, ...options }, () => {
      isReused = socket.isSessionReused();
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    });
    socket.on("session", (given) => {
      session = given;
    });
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () =>
      resolve({
        status: /^HTTP\/1\.1 (\d+)/.exec(text)?.[1],
        session,
        isReused,
      }),
    );
  });
}

/** An authority with a database: what it signs, it can revoke. */
function createAuthority(): Disposable & {
  readonly ca: string;
  readonly crl: string;
  readonly issue: (
    name: string,
    options?: readonly string[],
  ) => { readonly cert: string; readonly key: string };
  readonly revoke: (name: string) => void;
} {
  const folder = createTemporaryFolder({
    "index.txt": "",
    crlnumber: "01",
    "ca.cnf": `[ca]
default_ca = d
[d]
database = index.txt
new_certs_dir = .
rand_serial = yes
crlnumber = crlnumber
default_md = sha256
default_days = 1
default_crl_days = 1
unique_subject = no
policy = p
x509_extensions = e
[p]
organizationName = supplied
commonName = supplied
[e]
extendedKeyUsage = clientAuth
`,
  });
  const openssl = (...args: readonly string[]): void =>
    void execFileSync("openssl", args, { cwd: folder.path, stdio: ["ignore", "ignore", "pipe"] });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...newKey, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca");
  const sign = ["ca", "-config", "ca.cnf", "-batch", "-cert", "ca.pem", "-keyfile", "ca.key"];
  const at = (name: string): string => join(folder.path, name);
  return {
    get ca() {
      return read(at("ca.pem"));
    },
    get crl() {
      openssl(...sign, "-gencrl", "-out", "crl.pem");
      return read(at("crl.pem"));
    },
    issue(name, options = []) {
      const subject = ["-subj", "/O=Test/CN=client"];
      openssl("req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, ...subject);
      openssl(...sign, "-in", `${name}.csr`, "-out", `${name}.pem`, "-notext", ...options);
      return { cert: read(at(`${name}.pem`)), key: read(at(`${name}.key`)) };
    },
    revoke: (name) => openssl(...sign, "-revoke", `${name}.pem`),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test("a certificate that is revoked, expired, not valid yet, or signed by itself has no connection", async () => {
  using authority = createAuthority();
  const good = authority.issue("good");
  const revoked = authority.issue("revoked");
  authority.revoke("revoked");
  const past = ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"];
  const future = ["-startdate", "20900101000000Z", "-enddate", "20900102000000Z"];
  const expired = authority.issue("expired", past);
  const early = authority.issue("early", future);
  using folder = createTemporaryFolder({ "clients.pem": authority.ca + authority.crl });
  for (const mode of ["required", "optional"]) {
    await using running = await run(`tls_cert: "${files.serverCertificate}"
tls_key: "${files.serverKey}"
tls_ca_cert: "${folder.path}/clients.pem"
middleware: [${required}]
client_cert_mode: ${mode}`);
    for (const [name, ask] of Object.entries(clients)) {
      const [status] = await ask(running.port, { ca, ...good });
      assert.equal(status, 200, `${name}, ${mode}: ${running.output()}`);
      for (const shown of [revoked, expired, early, foreign]) {
        assert.deepEqual(await ask(running.port, { ca, ...shown }), ["refused", undefined], name);
      }
    }
  }
});

test("a certificate that is revoked has no connection from the next SIGHUP on", async () => {
  using authority = createAuthority();
  const [good, leaver] = [authority.issue("good"), authority.issue("leaver")];
  using folder = createTemporaryFolder({ "clients.pem": authority.ca + authority.crl });
  await using running = await run(`tls_cert: "${files.serverCertificate}"
tls_key: "${files.serverKey}"
tls_ca_cert: "${folder.path}/clients.pem"
middleware: [${required}]
client_cert_mode: required`);
  const statusOf = async (shown: typeof good): Promise<unknown> =>
    (await overHttp1(running.port, { ca, ...shown }))[0];
  assert.deepEqual([await statusOf(good), await statusOf(leaver)], [200, 200]);
  authority.revoke("leaver");
  writeFileSync(join(folder.path, "clients.pem"), authority.ca + authority.crl);
  assert.deepEqual([await statusOf(good), await statusOf(leaver)], [200, 200]);
  running.program.kill("SIGHUP");
  await running.program.waitFor(/certificates were read again/);
  assert.deepEqual([await statusOf(good), await statusOf(leaver)], [200, "refused"]);
});

test("a client cannot make the server negotiate again, nor choose an old cipher", async () => {
  await using running = await run(tls);
  const old = { ca, maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256" } as const;
  assert.deepEqual(await overHttp1(running.port, old), ["refused", undefined]);
  const socket = connect({ host: "localhost", port: running.port, ca, maxVersion: "TLSv1.2" });
  const told = await new Promise<string>((resolve) => {
    socket.on("error", ({ message }) => resolve(message));
    socket.on("close", () => resolve("closed"));
    socket.on("secureConnect", () =>
      socket.renegotiate({}, (error) => resolve(error?.message ?? "negotiated again")),
    );
  });
  socket.destroy();
  assert.match(told, /no renegotiation|closed/);
});

test("TLS below 1.2 is refused", async () => {
  await using running = await run(tls);
  for (const maxVersion of ["TLSv1", "TLSv1.1"] as const) {
    const old = { ca, minVersion: maxVersion, maxVersion, ciphers: "DEFAULT@SECLEVEL=0" };
    assert.deepEqual(await overHttp1(running.port, old), ["refused", undefined], maxVersion);
  }
  const [status] = await overHttp1(running.port, { ca, maxVersion: "TLSv1.2" });
  assert.equal(status, 200);
});

test("certificates in a proxy's header count from trusted proxies alone, and have their PEM", async () => {
  const { raw } = new X509Certificate(client.cert);
  const headers = { "client-cert": `:${raw.toString("base64")}:` };
  const statuses = async (config: string, ...all: { readonly [name: string]: string }[]) => {
    await using running = await run(config);
    const answers: unknown[] = [];
    for (const sent of all) {
      const response = await fetch(`http://127.0.0.1:${running.port}/`, { headers: sent });
      answers.push([response.status, await response.json()]);
    }
    return answers;
  };
  const trusting = `auth:
  middleware: [${required}]
  mtls: { mtls_source: proxy_header, trusted_proxy_cidrs: [127.0.0.0/8] }`;
  const missing = [401, { error: "client certificate required" }];
  assert.deepEqual(await statuses(trusting, headers, {}), [[200, told], missing]);
  const elsewhere = `middleware: [${required}]
mtls_source: proxy_header
trusted_proxy_cidrs: [10.0.0.0/8]`;
  const forwarded = { ...headers, "x-forwarded-for": "10.0.0.1" };
  assert.deepEqual(await statuses(elsewhere, forwarded), [missing]);
});

test("a gateway refuses to start when its certificate settings do not go together", async () => {
  const refuse = async (config: string, expected: string): Promise<void> => {
    using folder = createTemporaryFolder({
      "agents.ts": agents,
      "guards.ts": guards,
      "topology.yaml": topology(0, config),
    });
    const { exitCode, stdout } = await agentrt(
      ["topology", "validate", join(folder.path, "topology.yaml")],
      { directory: folder.path },
    );
    assert.equal(exitCode, 1, stdout);
    assert.ok(stdout.includes(expected), stdout);
  };
  await refuse("client_cert_mode: required", 'client_cert_mode "required" needs tls_cert, tls_key');
  await refuse(
    `auth: { mtls: { mtls_source: proxy_header, trusted_proxy_cidrs: [10.0.0.0/8] } }`,
    'mtls_source "proxy_header" needs the middleware agentrt.gateway.mtls.require_client_cert',
  );
  await refuse(
    `middleware: [${required}]\nmtls_source: proxy_header`,
    'mtls_source "proxy_header" needs trusted_proxy_cidrs',
  );
  await refuse(
    `${tls}middleware: [${required}]
mtls_source: proxy_header
trusted_proxy_cidrs: [10.0.0.0/8]
client_cert_mode: optional`,
    'client_cert_mode "optional" does not go with mtls_source "proxy_header"',
  );
  await refuse(
    `${tls}client_cert_mode: optional\nauth: { client_cert_mode: optional }`,
    "client_cert_mode is given twice, in auth and next to it: keep one",
  );
  await refuse("trusted_proxy_cidrs: [10.0.0.0/40]", '"10.0.0.0/40" is not an IP range');
});
