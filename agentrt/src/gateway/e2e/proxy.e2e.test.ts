/** Clients' certificates that real proxies ask for and forward as RFC 9440 says. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { after, test } from "node:test";
import {
  commandPath,
  createCertificates,
  createTemporaryFolder,
  freePort,
  skipUnless,
  startNginx,
  startProgram,
} from "testkit";
import { echoGateway, startTopology } from "./test-support/running-topology.ts";

const files = createCertificates();
after(() => files[Symbol.dispose]());
const read = (path: string): string => readFileSync(path, "utf8");
const ca = read(files.ca);
const client = { ca, cert: read(files.clientCertificate), key: read(files.clientKey) };
const foreign = { ca, cert: read(files.foreignCertificate), key: read(files.foreignKey) };
const dn = "CN=client,O=Test";

async function startGateway(): Promise<AsyncDisposable & { readonly port: number }> {
  const port = await freePort();
  const files = {
    "agents.ts": `import { Agent } from "agentrt"; export class Echo extends Agent { override handle() { return {}; } }`,
    "guards.ts": `export const tell = async ({ auth, clientIp }) => ({ status: 200, body: { id: auth.id, clientIp } });`,
  };
  const running = await startTopology({
    files,
    environment: { AGENTRT_GATEWAY_MTLS_ALLOWED_DNS: dn },
    topology: echoGateway(
      port,
      `
routes: [{ method: GET, path: /, agent: echo, middleware: [guards.tell] }]
auth:
  middleware: [agentrt.gateway.mtls.require_client_cert]
  mtls: { mtls_source: proxy_header, trusted_proxy_cidrs: [127.0.0.1/32] }
`,
    ),
  });
  return { port, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

interface ClientOptions {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Status and body of a request to the proxy. */
function ask(port: number, options: ClientOptions): Promise<readonly [unknown, string]> {
  return new Promise((resolve) => {
    const sent = request({ host: "localhost", port, agent: false, ...options }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () => resolve([response.statusCode, text]));
    });
    sent.on("error", () => resolve(["refused", ""]));
    sent.end();
  });
}

const passed = [200, JSON.stringify({ id: dn, clientIp: "127.0.0.1" })];
const missing = [401, '{"error":"client certificate required"}'];
/** The client's certificate as its own header, sent by whoever has none. */
const spoofed = {
  "client-cert": `:${client.cert.replaceAll(/-----[^-]+-----|\s/g, "")}:`,
  "x-forwarded-for": "127.0.0.1",
};

/** The lines of a PEM certificate, put together again: nginx knows no other way to its base64. */
const nginxLines = Array.from({ length: 20 }, (_, index) => `l${index}`);
const nginxPattern = nginxLines.map((name) => `(?:(?<${name}>[A-Za-z0-9+/=]+)\\n)?`).join("");

test(
  "nginx in front: the certificate it has verified counts, and none that a client sends",
  {
    skip: skipUnless("nginx", "openssl"),
  },
  async () => {
    await using gateway = await startGateway();
    const port = await freePort();
    await using _nginx = await startNginx(`
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${files.serverCertificate};
    ssl_certificate_key ${files.serverKey};
    ssl_client_certificate ${files.ca};
    ssl_verify_client optional;
    location / {
      set $client_cert "";
      if ($ssl_client_raw_cert ~ "BEGIN CERTIFICATE-----\\n${nginxPattern}-----END") {
        set $client_cert ":${nginxLines.map((name) => `$${name}`).join("")}:";
      }
      proxy_set_header Client-Cert $client_cert;
      proxy_pass http://127.0.0.1:${gateway.port};
    }`);
    assert.deepEqual(await ask(port, client), passed);
    assert.deepEqual(await ask(port, { ca }), missing);
    assert.deepEqual(await ask(port, { ca, headers: spoofed }), missing);
    assert.deepEqual(await ask(port, { ...client, headers: { "client-cert": ":AAAA:" } }), passed);
    const [status] = await ask(port, foreign);
    assert.equal(status, 400); // nginx refuses it itself.
  },
);

test(
  "haproxy in front: the certificate it has verified counts, and none that a client sends",
  { skip: skipUnless("haproxy") },
  async () => {
    await using gateway = await startGateway();
    const port = await freePort();
    using folder = createTemporaryFolder();
    const pem = `${folder.path}/server.pem`;
    writeFileSync(pem, read(files.serverCertificate) + read(files.serverKey));
    folder.write({
      "haproxy.cfg": `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend tls
  bind 127.0.0.1:${port} ssl crt ${pem} ca-file ${files.ca} verify optional
  http-request del-header Client-Cert
  http-request set-header Client-Cert :%[ssl_c_der,base64]: if { ssl_c_used }
  default_backend gateway
backend gateway
  server gateway 127.0.0.1:${gateway.port}
`,
    });
    await using haproxy = startProgram(
      commandPath("haproxy") ?? "haproxy",
      ["-db", "-f", `${folder.path}/haproxy.cfg`],
      { timeoutMs: 60_000 },
    );
    while ((await ask(port, { ca }))[0] === "refused") {
      assert.equal(haproxy.process.exitCode, null, haproxy.output);
    }
    assert.deepEqual(await ask(port, client), passed);
    assert.deepEqual(await ask(port, { ca }), missing);
    assert.deepEqual(await ask(port, { ca, headers: spoofed }), missing);
    assert.deepEqual(await ask(port, { ...client, headers: { "client-cert": ":AAAA:" } }), passed);
    assert.deepEqual(await ask(port, foreign), ["refused", ""]);
  },
);

test(
  "caddy in front: the certificate it has verified counts, and none that a client sends",
  { skip: skipUnless("caddy") },
  async () => {
    await using gateway = await startGateway();
    const port = await freePort();
    using folder = createTemporaryFolder({
      Caddyfile: `{
  admin off
  auto_https disable_redirects
}
https://localhost:${port} {
  bind 127.0.0.1
  tls ${files.serverCertificate} ${files.serverKey} {
    client_auth {
      mode verify_if_given
      trusted_ca_cert_file ${files.ca}
    }
  }
  reverse_proxy 127.0.0.1:${gateway.port} {
    header_up Client-Cert ":{http.request.tls.client.certificate_der_base64}:"
  }
}
`,
    });
    const home = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
    await using caddy = startProgram(
      commandPath("caddy") ?? "caddy",
      ["run", "--config", `${folder.path}/Caddyfile`],
      { environment: home },
    );
    while ((await ask(port, { ca }))[0] === "refused") {
      assert.equal(caddy.process.exitCode, null, caddy.output);
    }
    assert.deepEqual(await ask(port, client), passed);
    assert.deepEqual(await ask(port, { ca }), missing);
    assert.deepEqual(await ask(port, { ca, headers: spoofed }), missing);
    assert.deepEqual(await ask(port, { ...client, headers: { "client-cert": ":AAAA:" } }), passed);
    assert.deepEqual(await ask(port, foreign), ["refused", ""]);
  },
);

test(
  "a client that reaches the gateway past the proxy is one of its peers: keep the ranges narrow",
  {
    skip: skipUnless("openssl"),
  },
  async () => {
    await using gateway = await startGateway();
    // This machine is trusted here, so its header counts: what trusted_proxy_cidrs says is believed.
    const response = await fetch(`http://127.0.0.1:${gateway.port}/`, { headers: spoofed });
    assert.equal(response.status, 200);
  },
);
