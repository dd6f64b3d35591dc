/** What a sign-in at the console gives, over HTTP. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "testkit";
import { badgeGuards } from "../control/test-support/badge-project.ts";
import { startTopology } from "../gateway/e2e/test-support/running-topology.ts";

const agents = `
import { Agent } from "agentrt";
export class Desk extends Agent {
  override async handle() { return {}; }
}
`;

async function start(config: string) {
  const port = await freePort();
  const running = await startTopology({
    files: { "agents.ts": agents, "guards.ts": badgeGuards },
    environment: { AGENTRT_GATEWAY_API_KEYS: "first,second" },
    topology: `audit: { sink: jsonl, path: audit.jsonl }
supervision:
  name: root
  children:
    - agent: { name: desk, type: agents.Desk }
    - { name: topo, type: topology_server, config: { port: ${port}, ${config} } }
`,
  });
  const base = `http://127.0.0.1:${port}`;
  const ask = async (
    route: string,
    headers: { readonly [name: string]: string } = {},
  ): Promise<{
    readonly status: number;
    readonly body: { readonly [name: string]: unknown };
    readonly headers: Headers;
  }> => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(`${base}${path}`, { method, headers });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const body = (isJson ? JSON.parse(text) : { text }) as { readonly [name: string]: unknown };
    return { status: response.status, body, headers: response.headers };
  };
  const signIn = async (headers: { readonly [name: string]: string }) => {
    const { status, body, headers: given } = await ask("POST /console/session", headers);
    const [setCookie = ""] = given.getSetCookie();
    const session = body["session"] as { readonly [name: string]: unknown } | undefined;
    return { status, setCookie, cookie: setCookie.split(";", 1)[0] ?? "", session };
  };
  const audit = (): readonly { readonly event: string; readonly details: object }[] =>
    readFileSync(join(running.folder.path, "audit.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; details: object });
  return {
    ask,
    signIn,
    audit,
    port,
    [Symbol.asyncDispose]: async () => await running[Symbol.asyncDispose](),
  };
}

const keyed = `auth: { middleware: [agentrt.gateway.auth.require_api_key], scopes: { "api_key:a7937b64b8caa58f": [read, operate] } }`;

test("a key is exchanged for a cookie that no script reads, and the cookie lets its holder read", async () => {
  await using server = await start(keyed);
  assert.equal((await server.ask("GET /topology")).status, 401);
  assert.equal((await server.signIn({ "x-api-key": "wrong" })).status, 401);
  const { status, setCookie, cookie, session } = await server.signIn({ "x-api-key": "first" });
  assert.equal(status, 200);
  assert.match(
    setCookie,
    /^agentrt_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    "over clear text there is no Secure",
  );
  assert.equal(setCookie.startsWith(`agentrt_session_${server.port}=`), true);
  assert.equal(session?.["principal"], "api_key:a7937b64b8caa58f");
  assert.deepEqual(session["scopes"], ["read", "operate"]);
  assert.equal((await server.ask("GET /topology", { cookie })).status, 200);
  assert.equal((await server.ask("GET /topology", { cookie: `${cookie}x` })).status, 401);
  const other = cookie.replace(String(server.port), "1");
  assert.equal((await server.ask("GET /topology", { cookie: other })).status, 401);
  const known = await server.ask("GET /console/session", { cookie });
  assert.deepEqual(
    { ...(known.body["session"] as object), expires_at: 0 },
    { ...session, expires_at: 0 },
  );
});

test("behind TLS that a proxy ends, the cookie is Secure", async () => {
  await using server = await start(`${keyed}, host: 0.0.0.0`);
  const origin = "https://ops.example";
  const { setCookie } = await server.signIn({ "x-api-key": "first", origin });
  assert.match(setCookie, /; Secure$/);
});

test("with the cookie, what changes something wants the session's token; with a key it does not", async () => {
  await using server = await start(keyed);
  const { cookie, session } = await server.signIn({ "x-api-key": "first" });
  const token = String(session?.["csrf_token"]);
  const suspend = "POST /agents/desk/suspend";
  assert.equal((await server.ask(suspend, { cookie })).status, 403);
  const wrong = { cookie, "x-agentrt-csrf": `${token}x` };
  assert.equal((await server.ask(suspend, wrong)).status, 403);
  assert.equal((await server.ask(suspend, { cookie, "x-agentrt-csrf": token })).status, 200);
  assert.equal(
    (await server.ask("POST /agents/desk/resume", { "x-api-key": "first" })).status,
    200,
  );
  // A cookie adds nothing to credentials that are given.
  const second = { cookie, "x-api-key": "wrong" };
  assert.equal((await server.ask("GET /topology", second)).status, 401);
  const who = server
    .audit()
    .filter(({ event }) => event === "agent.suspend" || event === "console.sign_in")
    .map(({ event, details }) => [event, (details as { initiated_by: string }).initiated_by]);
  assert.deepEqual(who, [
    ["console.sign_in", "api_key:a7937b64b8caa58f"],
    ["agent.suspend", "api_key:a7937b64b8caa58f"],
  ]);
});

test("a sign-out ends the session, and the streams that it has open", async () => {
  await using server = await start(keyed);
  const { cookie, session } = await server.signIn({ "x-api-key": "first" });
  const stream = await fetch(`http://127.0.0.1:${server.port}/events?recent=10`, {
    headers: { cookie },
  });
  assert.equal(stream.status, 200);
  assert.equal((await server.ask("DELETE /console/session", { cookie })).status, 403);
  const token = { "x-agentrt-csrf": String(session?.["csrf_token"]) };
  const out = await server.ask("DELETE /console/session", { cookie, ...token });
  assert.equal(out.status, 200);
  assert.match(out.headers.getSetCookie()[0] ?? "", /^agentrt_session_\d+=; .*Max-Age=0$/);
  // Its end is what is waited for: the text of a stream that goes on never comes.
  assert.match(await stream.text(), /^retry: /);
  assert.equal((await server.ask("GET /topology", { cookie })).status, 401);
  assert.deepEqual((await server.ask("GET /console/session", { cookie })).body, {
    needs_key: true,
    session: null,
  });
});

test("a cookie renews no session: only the key itself opens another one", async () => {
  await using server = await start(keyed);
  const { cookie, session } = await server.signIn({ "x-api-key": "first" });
  const csrf = { cookie, "x-agentrt-csrf": String(session?.["csrf_token"]) };
  const again = await server.signIn(csrf);
  assert.deepEqual([again.status, again.setCookie], [200, ""]);
  assert.equal(again.session?.["csrf_token"], session?.["csrf_token"]);
  const signIns = server.audit().filter(({ event }) => event === "console.sign_in");
  assert.equal(signIns.length, 1);
  const other = await server.signIn({ ...csrf, "x-api-key": "second" });
  assert.notEqual(other.session?.["csrf_token"], session?.["csrf_token"]);
  assert.equal((await server.ask("GET /topology", { cookie })).status, 401);
  assert.equal((await server.ask("GET /topology", { cookie: other.cookie })).status, 200);
});

test("where nobody is asked who they are, a session is begun without a key, and a write of one that is over is refused", async () => {
  await using server = await start("");
  const { cookie, session } = await server.signIn({});
  assert.equal(session?.["principal"], "unauthenticated");
  assert.equal((await server.ask("GET /console/session")).body["needs_key"], false);
  const gone = { cookie: `${cookie}x`, "x-agentrt-csrf": "of an earlier run" };
  assert.equal((await server.ask("POST /agents/desk/suspend", gone)).status, 401);
  assert.equal((await server.ask("GET /topology", gone)).status, 200);
});

test("the page names no other host, runs only its own files, and is below 150 KB", async () => {
  await using server = await start(keyed);
  const { status, body, headers } = await server.ask("GET /console");
  assert.equal(status, 200);
  const html = String(body["text"]);
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(
    policy,
    /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/,
  );
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.doesNotMatch(html, /<style|<script>|https?:|\son\w+=/);
  let size = Number(headers.get("content-length"));
  for (const [, path = ""] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const file = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { "accept-encoding": "gzip" },
    });
    assert.equal(file.headers.get("content-encoding"), "gzip");
    assert.match(file.headers.get("cache-control") ?? "", /immutable/);
    size += Number(file.headers.get("content-length"));
  }
  assert.ok(size > 5_000 && size < 150_000, `${size} bytes`);
});

test("console: false serves no console", async () => {
  await using server = await start(`${keyed}, console: false`);
  const key = { "x-api-key": "first" };
  assert.equal((await server.ask("GET /console")).status, 404);
  assert.equal((await server.ask("POST /console/session", key)).status, 404);
  assert.equal((await server.ask("GET /topology", key)).status, 200);
});

test("a middleware that reads a header of another name is served by what the sign-in names, and by no header of proxies", async () => {
  await using server = await start("auth: { middleware: [guards.badge] }");
  const badge = { "x-badge": "ada" };
  const unnamed = await server.signIn(badge);
  assert.equal(unnamed.status, 200);
  assert.equal((await server.ask("GET /topology", { cookie: unnamed.cookie })).status, 401);
  const named = { ...badge, "x-agentrt-credential-header": "X-Badge" };
  const { cookie, session } = await server.signIn(named);
  assert.equal(session?.["principal"], "ada");
  assert.equal((await server.ask("GET /topology", { cookie })).status, 200);
  const spoofed = { ...badge, "x-agentrt-credential-header": "x-forwarded-for" };
  const { cookie: other } = await server.signIn({ ...spoofed, "x-forwarded-for": "10.0.0.1" });
  assert.equal((await server.ask("GET /topology", { cookie: other })).status, 401);
});

test("a page of another site changes nothing by what its browser shows by itself", async () => {
  await using server = await start("host: 0.0.0.0");
  const suspend = "POST /agents/desk/suspend";
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  assert.equal((await server.ask(suspend, foreign)).status, 403);
  assert.equal((await server.ask(suspend, { "sec-fetch-site": "same-site" })).status, 403);
  // Over HTTP a browser tells another machine the origin of the page, and not its site.
  const { origin } = foreign;
  assert.equal((await server.ask(suspend, { origin })).status, 403);
  assert.equal((await server.ask("POST /console/session", { origin })).status, 403);
  assert.equal((await server.ask("POST /console/session", foreign)).status, 403);
  assert.equal((await server.ask("GET /topology", foreign)).status, 200);
  assert.equal((await server.ask(suspend, { ...foreign, "x-api-key": "first" })).status, 200);
  assert.equal((await server.ask(suspend, { "sec-fetch-site": "same-origin" })).status, 200);
});
