/** What `topology validate` finds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { agentrt, type Outcome } from "../test-support/agentrt.ts";

async function validate(
  files: { readonly [name: string]: string },
  ...words: string[]
): Promise<Outcome> {
  using folder = createTemporaryFolder(files);
  return await agentrt(["topology", "validate", ...words], { directory: folder.path });
}

function lines(stdout: string, pattern: RegExp): string[] {
  return stdout.split("\n").filter((line) => pattern.test(line));
}

const gateway = (settings: string, children = ""): string => `supervision:
  name: root
  children:
    - { name: a, type: agents.A }
${children}    - name: web
      type: http_gateway
${settings}`;

test("--strict counts notes as errors, and a plugin by an unknown short name has one", async () => {
  const files = {
    "t.yaml": `plugins: { models: [{ type: foo }], exporters: [{ type: jaeger }], state: { type: mysql } }
supervision: { name: root, children: [{ name: a, type: agents.A }] }
`,
  };
  const plain = await validate(files, "t.yaml");
  assert.equal(plain.exitCode, 0);
  for (const name of ["foo", "jaeger", "mysql"])
    assert.match(
      plain.stdout,
      new RegExp(`note .*"${name}" is not built in: an installed package`),
    );
  const strict = await validate(files, "t.yaml", "--strict");
  assert.equal(strict.exitCode, 1);
  assert.match(strict.stdout, /^Invalid: 0 errors, 3 notes$/m);
  const json = await validate(files, "t.yaml", "--strict", "--json");
  assert.equal((JSON.parse(json.stdout) as { valid: boolean }).valid, false);
});

test("routes that no request reaches are noted, and keys that do nothing", async () => {
  const { exitCode, stdout } = await validate(
    {
      "t.yaml": gateway(`      port: 8090
      port_quic: 8091
      grpc_port: 8092
      tls_ca_cert: ca.pem
      middleware: [agentrt.gateway.jwt_auth.require_jwt]
      docs: { enabled: true }
      routes:
        - { method: GET, path: "/a/{x}", agent: a }
        - { method: GET, path: /a/b, agent: a }
        - { method: POST, path: /a/b, agent: a }
        - { method: GET, path: "/a/{y}", agent: a }
        - { method: GET, path: "/f/{rest*}", agent: a }
        - { method: GET, path: /f/b, agent: a }
        - { method: GET, path: "/f/b/{more*}", agent: a }
        - { method: GET, path: /docs, agent: a }
        - { method: GET, path: /openapi.json, agent: a }
      ws_routes: [{ path: "/w/{a}", agent: a }, { path: /w/b, agent: a }]
`),
    },
    "t.yaml",
  );
  assert.equal(exitCode, 0, stdout);
  assert.deepEqual(
    lines(stdout, /^note/).map((line) =>
      line.replace(/^note t\.yaml:\d+:\d+: [^:]*: /, "").slice(0, 60),
    ),
    [
      "tokens for require_jwt come to 0.0.0.0 in clear text: set tl",
      "this has no effect without enable_http3: true",
      "this has no effect without grpc_enabled: true",
      "this has no effect without TLS: set tls_cert and tls_key",
      'no request reaches this route: "GET /a/{x}" comes first and ',
      'no request reaches this route: "GET /a/{x}" comes first and ',
      'no request reaches this route: "GET /f/{rest*}" comes first ',
      "no request reaches this route: the API's description is serv",
      "no request reaches this route: the API's description is serv",
      'no request reaches this route: "/w/{a}" comes first and take',
    ],
  );
});

test("what run would refuse, validate refuses: a port of gRPC that is taken, and the config of the rate limiter", async () => {
  const { exitCode, stdout } = await validate(
    {
      "t.yaml": gateway(
        "      port: 8090\n      grpc_enabled: true\n      grpc_port: 8093\n",
        `    - { name: other, type: http_gateway, port: 8093 }
    - { name: rate_limiter, type: agentrt.gateway.ratelimit.RateLimiter, config: { max_request: 1, key: nobody } }
`,
      ),
    },
    "t.yaml",
  );
  assert.equal(exitCode, 1);
  assert.match(stdout, /grpc_port: "other" listens on port 8093 of 0\.0\.0\.0 already/);
  assert.match(stdout, /config\.max_request: found 1, wanted no such key: it takes max_requests/);
  assert.match(stdout, /config\.key: found "nobody", wanted address, forwarded_address/);
});

test("a transport section with a wrong key is still of its type", async () => {
  const { stdout } = await validate(
    {
      "t.yaml": `transport: { type: nats, url: "nats://x:4222", jetstream: true }
supervision: { name: root, children: [{ name: a, type: agents.A, process: worker }] }
`,
    },
    "t.yaml",
  );
  assert.match(stdout, /unknown key "url"; did you mean "servers"\?/);
  assert.doesNotMatch(stdout, /under in_process/);
});

test("keys by other programs' names are led to those of here", async () => {
  const { stdout } = await validate(
    {
      "t.yaml": `audit: { type: jsonl }
plugins:
  state: { type: postgres, config: { dsn: postgres://x, url: postgres://x@y/z } }
  exporters: [{ type: console, config: { colour: true } }]
supervision:
  name: root
  max_restarts: 1e30
  restart_window: .inf
  children:
    - { name: a, type: agents.A, mcp_servers: [] }
`,
    },
    "t.yaml",
  );
  assert.match(stdout, /audit\.type: unknown key "type"; did you mean "sink"\?/);
  assert.match(stdout, /config\.dsn: unknown key "dsn"; did you mean "url"\?/);
  assert.match(
    stdout,
    /mcp_servers: unknown key "mcp_servers"; tool servers are listed once .* "mcp\.servers"/,
  );
  assert.match(stdout, /config\.colour: unknown key "colour"; there are none here/);
  assert.equal(lines(stdout, /t\.yaml:7:\d+/).length, 1, stdout);
  assert.match(stdout, /t\.yaml:8:19: supervision\.restart_window: a number must be finite/);
  const tagged = await validate({ "t.yaml": "plugins: !ENV '${X}'\n" }, "t.yaml");
  assert.match(
    tagged.stdout,
    /t\.yaml:1:10: Unresolved tag: !ENV; keys that end with _env take the name/,
  );
  const open = await validate({ "t.yaml": "a: 1\nb: { c: [1, 2 }\n d: 1\n" }, "t.yaml");
  assert.match(open.stdout, /t\.yaml:2:9: this \[ is not closed/);
});

test("settings that do less than they seem to are noted: a first delay above the longest, a control plane for all", async () => {
  const { exitCode, stdout } = await validate(
    {
      "t.yaml": `supervision:
  name: root
  backoff_base: 100
  children:
    - { name: a, type: pool, class: agents.A, size: 1, backoff_base: 2, backoff_max: 1 }
    - { type: topology_server, host: 0.0.0.0 }
    - { name: judge, type: eval_agent }
    - { name: other, type: eval_agent }
`,
    },
    "t.yaml",
  );
  assert.equal(exitCode, 0, stdout);
  assert.match(
    stdout,
    /note t\.yaml:3:17: .*backoff_base is 100 and backoff_max is 60: every delay/,
  );
  assert.match(stdout, /note t\.yaml:5:\d+: .*backoff_base is 2 and backoff_max is 1: every delay/);
  assert.match(stdout, /note t\.yaml:7:\d+: .*without class it corrects nothing/);
  const several =
    /note t\.yaml:7:\d+: .*of several eval agents none is called "eval_agent": this one/;
  assert.match(stdout, several);
  assert.match(
    stdout,
    /note t\.yaml:6:\d+: .*anybody who reaches 0\.0\.0\.0 sees and steers the tree/,
  );
});
