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
  "POST /plan": "read",
  "POST /apply": "operate",
};
const open = ["GET /health", "GET /ready"];
const people = { reader: "read", operator: "operate", approver: "approve", nobody: "none" };

interface Described {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly responses: { readonly [status: string]: object } };
    };
  };
}

/** The routes of a surface, as its own description lists them: method and path with prefix. */
async function routesOf({ ask, prefix }: Surface) {
  const request = `GET ${prefix}/topology/openapi.json`;
  const { status, body } = await ask({ request, headers: { "x-badge": "chief" } });
  assert.equal(status, 200, body);
  const { paths } = JSON.parse(body) as Described;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([word, { responses }]) => {
      const method = word.toUpperCase();
      return { method, path, responses, route: `${method} ${path.slice(prefix.length)}` };
    }),
  );
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
      const wanted = method === "GET" ? "read" : wantedOf[route];
      assert.ok(wanted !== undefined, `${route} has no row in this test`);
      for (const [name, scope] of Object.entries(people)) {
        const [status, body] = await ask(name, scope === wanted ? { typo: 1 } : topology);
        if (scope !== wanted) {
          const refusal = { error: `'${name}' lacks the scope '${wanted}'` };
          assert.deepEqual([status, JSON.parse(body)], [403, refusal], `${name}: ${what}`);
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
