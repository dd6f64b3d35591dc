/** Who may do what at a control plane: each route of its own description, by scope, over every listener. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import * as grpc from "@grpc/grpc-js";
import { createCertificates, testClients, type TestServer } from "testkit";
import { Http3Client } from "../gateway/http3/test-support/http3-client.ts";
import {
  type GuardedPlanes,
  startGuardedPlanes,
  type Surface,
} from "./test-support/guarded-planes.ts";

let planes: GuardedPlanes;
before(async () => {
  planes = await startGuardedPlanes();
});
after(async () => {
  await planes[Symbol.asyncDispose]();
});

// First: of refusals in ten seconds only 200 kinds are told apart.
test("certificates that are refused over HTTP/2, HTTP/3 and gRPC leave their records", async () => {
  const { ports, certificates } = planes;
  using other = createCertificates({ clientSubject: "/O=Test/CN=other", signer: certificates });
  const read = (path: string): Buffer => readFileSync(path);
  const ca = read(certificates.ca);
  const shown = {
    none: {},
    foreign: { cert: read(certificates.foreignCertificate), key: read(certificates.foreignKey) },
    other: { cert: read(other.clientCertificate), key: read(other.clientKey) },
  };
  const refusals = (): unknown[] =>
    planes
      .records()
      .filter(
        ({ event, details }) => event === "security.refuse" && details["gateway"] === "strict",
      )
      .map(({ details }): unknown => {
        const { by, status, listener = null, reason = null, principal, client } = details;
        assert.match(String(client), /127\.0\.0\.1$/);
        assert.equal(principal, "unauthenticated");
        return [by, status, listener, reason];
      });
  const overHttp3 = async (own: object): Promise<unknown> => {
    const client = await Http3Client.connect({ port: ports.strictQuic, ca, ...own }).catch(
      () => undefined,
    );
    const answer = await client?.request("/agents/desk", { method: "POST" }).done;
    await client?.close();
    return answer?.status;
  };
  const overGrpc = (own: { cert?: Buffer; key?: Buffer }): Promise<unknown> => {
    const credentials = grpc.credentials.createSsl(ca, own.key ?? null, own.cert ?? null);
    const client = new grpc.Client(`localhost:${ports.strictGrpc}`, credentials);
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve) => {
      client.makeUnaryRequest("/agentrt.Agent/Invoke", same, same, Buffer.alloc(0), (error) => {
        client.close();
        resolve(error?.code);
      });
    });
  };
  const overHttp2 = async (own: object): Promise<unknown> => {
    const server = { port: ports.strict, tls: { ca, ...own } };
    const row = { request: "POST /agents/desk" };
    return (await testClients[1].ask(server, row).catch(() => undefined))?.status;
  };
  const { unavailable, permissionDenied } = { unavailable: 14, permissionDenied: 7 };
  for (const own of [shown.none, shown.foreign]) {
    assert.equal(await overHttp3(own), undefined);
    assert.equal(await overGrpc(own), unavailable);
    assert.equal(await overHttp2(own), undefined);
  }
  const byHandshake = "client_cert";
  const noCertificate = "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE";
  const foreign = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
  await recorded(() => refusals().length >= 6);
  assert.deepEqual(refusals(), [
    [byHandshake, 0, "http3", "certificate required"],
    [byHandshake, 0, "grpc", noCertificate],
    [byHandshake, 0, "http", noCertificate],
    [byHandshake, 0, "http3", "unknown authority"],
    [byHandshake, 0, "grpc", foreign],
    [byHandshake, 0, "http", foreign],
  ]);
  // Of the right authority, but of nobody who is let in. Each of a kind is recorded once in ten seconds.
  assert.equal(await overGrpc(shown.other), permissionDenied);
  assert.equal(await overHttp3(shown.other), 403);
  assert.equal(await overHttp2(shown.other), 403);
  await recorded(() => refusals().length >= 7);
  assert.deepEqual(refusals().slice(6), [["require_client_cert", 403, null, null]]);
});

/** Refusals are recorded behind their answer: asks until the file is as wanted. */
async function recorded(isThere: () => boolean): Promise<void> {
  for (let count = 0; !isThere(); count += 1) {
    assert.ok(count < 2000, JSON.stringify(planes.records()));
    await planes.surfaces[0]?.ask({ request: "GET /health" });
  }
}

/** What each route that is not a GET wants. A route that is added has a row here, or the test fails. */
const wantedOf: { readonly [route: string]: string } = {
  "POST /dead-letters/{id}/replay": "operate",
  "POST /approvals/{id}/approve": "approve",
  "POST /approvals/{id}/deny": "approve",
  "POST /agents/{name}/suspend": "operate",
  "POST /agents/{name}/drain": "operate",
  "POST /agents/{name}/resume": "operate",
  "POST /agents/{name}/restart": "operate",
  "POST /agents/{name}/mailbox": "operate",
  "POST /agents/{name}/mailbox/{id}/drop": "operate",
  "POST /plan": "read",
  "POST /apply": "operate",
};
const open = [
  "GET /health",
  "GET /ready",
  "GET /console",
  "GET /console/console.js",
  "GET /console/console.css",
  "GET /console/session",
  "DELETE /console/session",
];
const people = { reader: "read", operator: "operate", approver: "approve", nobody: "none" };

interface Described {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly responses: { readonly [status: string]: object } };
    };
  };
}

/** The routes of a surface, as its own description lists them: method and path with prefix. */
async function routesOf(surface: Surface) {
  const { prefix } = surface;
  const request = `GET ${prefix}/topology/openapi.json`;
  const { status, body } = await surface.ask({ request, headers: { "x-badge": "chief" } });
  assert.equal(status, 200, body);
  const { paths } = JSON.parse(body) as Described;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([word, { responses }]) => {
      const method = word.toUpperCase();
      return { method, path, responses, route: `${method} ${path.slice(prefix.length)}` };
    }),
  );
}

function refusalOf(principal: string, scope: string): string {
  return JSON.stringify({ error: `'${principal}' lacks the scope '${scope}'` });
}

/** Lets a stream be refused, so that its answer ends; and asks for what is there. */
function targetOf(path: string): string {
  const filled = path.replace("{name}", "desk").replace("{id}", "none");
  return path.endsWith("/events") ? `${filled}?recent=many` : filled;
}

test("each route of the description asks for its scope, over every listener", async () => {
  for (const surface of planes.surfaces) {
    const routes = await routesOf(surface);
    assert.ok(routes.length > 30, surface.name);
    for (const { method, path, responses, route } of routes) {
      const what = `${route} over ${surface.name}`;
      const topology = /(?:plan|apply)$/.test(route) ? { topology: planes.topology } : {};
      const ask = async (badge: string | undefined, sent: object = topology) => {
        const { status, body } = await surface.ask({
          request: `${method} ${targetOf(path)}`,
          headers: {
            ...(badge === undefined ? {} : { "x-badge": badge }),
            ...(method === "POST" ? { "content-type": "application/json" } : {}),
          },
          ...(method === "POST" ? { body: JSON.stringify(sent) } : {}),
        });
        return [status, body] as const;
      };
      const without = await ask(undefined);
      if (open.includes(route)) {
        assert.equal(without[0], 200, what);
        continue;
      }
      assert.deepEqual(without, [401, '{"error":"who is it?"}'], what);
      if (route === "POST /console/session") {
        for (const name of Object.keys(people)) assert.equal((await ask(name))[0], 200, what);
        continue;
      }
      const wanted = method === "GET" ? "read" : wantedOf[route];
      assert.ok(wanted !== undefined, `${route} has no row in this test`);
      for (const [name, scope] of Object.entries(people)) {
        const [status, body] = await ask(name, scope === wanted ? { typo: 1 } : topology);
        if (scope !== wanted) {
          assert.deepEqual([status, body], [403, refusalOf(name, wanted)], `${name}: ${what}`);
          continue;
        }
        // Behind the guard: what is wrong with the request is said, and nothing has happened.
        if (method === "POST") assert.equal(status, 400, `${name}: ${what}: ${body}`);
        else assert.ok(status !== 401 && status !== 403, `${name}: ${what}`);
      }
      const [status] = await ask("chief");
      assert.ok(status !== 401 && status !== 403, what);
      assert.ok(Object.hasOwn(responses, status), `${what}: ${status} is not described`);
    }
    // A resume that names an approval grants it: that is what is asked for.
    const resume = async (badge: string): Promise<unknown> => {
      const request = `POST ${surface.prefix}/agents/desk/resume`;
      const headers = { "x-badge": badge, "content-type": "application/json" };
      const { status, body } = await surface.ask({ request, headers, body: '{"approval":"a1"}' });
      return [status, (JSON.parse(body) as { error: string }).error];
    };
    assert.deepEqual(await resume("operator"), [403, "'operator' lacks the scope 'approve'"]);
    assert.equal(((await resume("approver")) as [number])[0], 404, surface.name);
  }
});

const asked = ["GET /agents", "POST /agents/desk/suspend", "POST /approvals/none/approve"];
const scopes = ["read", "operate", "approve"];

/** Asks one route of each scope. @returns Which scopes whoever asks has, or the status of what was refused before. */
async function scopesOf(
  server: TestServer,
  headers: { readonly [name: string]: string },
): Promise<string | number> {
  const has: string[] = [];
  for (const [index, request] of asked.entries()) {
    const { status, body } = await testClients[0].ask(server, { request, headers });
    const wanted = scopes[index] ?? "";
    if (status === 401) return status;
    if (status !== 403) has.push(wanted);
    else assert.match(body, new RegExp(`^\\{"error":"'.+' lacks the scope '${wanted}'"\\}$`));
  }
  return has.join(" ");
}

test("a token may do what its claim says and nothing else; without the claim, what the list says, or all", async () => {
  const rows: readonly (readonly [claims: object, expected: string | number])[] = [
    [{ sub: "ada", scope: "read" }, "read"],
    [{ sub: "ada", scope: "openid operate  approve" }, "operate approve"],
    [{ sub: "ada", scope: "openid profile" }, ""],
    [{ sub: "ada", scope: "" }, ""],
    [{ sub: "ada", scope: "READ read:all" }, ""],
    [{ sub: "ada", scope: ["read", "operate"] }, "read operate"],
    [{ sub: "ada", scope: { read: true } }, ""],
    [{ sub: "ada", scope: null }, ""],
    [{ sub: "ada", scope: 7 }, ""],
    [{ sub: "ada" }, "read operate approve"],
    [{ sub: "ada", scopes: "read" }, "read operate approve"],
    // The list of the topology counts where the token says nothing.
    [{ sub: "listed" }, "read"],
    [{ sub: "listed", scope: "operate" }, "operate"],
    [{ sub: "ada", scope: "read", exp: 1 }, 401],
    [{ scope: "read" }, 401],
  ];
  for (const [claims, expected] of rows) {
    const headers = { authorization: `Bearer ${planes.token(claims)}` };
    const found = await scopesOf({ port: planes.ports.tokens }, headers);
    assert.equal(found, expected, JSON.stringify(claims));
  }
});

test("keys and names of certificates have the scopes of the topology's list", async () => {
  const { ports, certificates } = planes;
  const ofKey = (key: string) => scopesOf({ port: ports.keys }, { "x-api-key": key });
  assert.equal(await ofKey("first"), "operate");
  assert.equal(await ofKey("second"), "read");
  assert.equal(await ofKey("third"), 401);
  const [ca, cert, key] = [
    certificates.ca,
    certificates.clientCertificate,
    certificates.clientKey,
  ].map((path) => readFileSync(path)) as [Buffer, Buffer, Buffer];
  // Written in another way in the list than in the certificate.
  assert.equal(await scopesOf({ port: ports.named, tls: { ca, cert, key } }, {}), "approve");
  assert.equal(await scopesOf({ port: ports.named, tls: { ca } }, {}), 401);
});

test("nothing in a request names who asks, over any listener", async () => {
  for (const surface of planes.surfaces) {
    const claimed = { __principal__: { id: "root" } };
    const query = "?__principal__=root&principal=root&initiated_by=root&auth=root";
    const headers = {
      "x-badge": "operator",
      "content-type": "application/json",
      "x-principal": "root",
      "x-forwarded-user": "root",
      "remote-user": "root",
      from: "root",
    };
    const ask = async (request: string, body: object) => {
      const answer = await surface.ask({ request, headers, body: JSON.stringify(body) });
      return [answer.status, JSON.parse(answer.body)];
    };
    const path = `${surface.prefix}/agents/desk`;
    assert.deepEqual(
      await ask(`POST ${path}/suspend${query}`, { ...claimed, reason: surface.name }),
      [200, { status: "suspend_requested", agent: "desk", initiated_by: "operator" }],
      surface.name,
    );
    assert.deepEqual(
      await ask(`POST ${path}/resume${query}`, claimed),
      [200, { status: "resume_requested", agent: "desk", approver: "operator" }],
      surface.name,
    );
    const refused = { ...claimed, initiated_by: "root" };
    assert.equal((await ask(`POST ${path}/suspend`, refused))[0], 400, surface.name);
    assert.equal((await ask(`POST ${path}__principal__=root/suspend`, claimed))[0], 404);
    assert.equal((await ask(`POST ${path};principal=root/suspend`, claimed))[0], 404);
    const record = planes
      .records()
      .find(
        ({ event, details }) => event === "agent.suspend" && details["reason"] === surface.name,
      );
    assert.equal(record?.details["initiated_by"], "operator", surface.name);
  }
  const principals = planes
    .records()
    .flatMap(({ details }) => [details["initiated_by"], details["approver"], details["principal"]]);
  assert.ok(!principals.includes("root"));
  assert.ok(!principals.includes("operator__principal__=root"));
});
