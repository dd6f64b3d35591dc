/** Who may use which route, and what is recorded of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatewayRequest, RequestAuth } from "../../gateway/index.ts";
import { guardRoute, type ScopeTable } from "./index.ts";

function asked(auth: RequestAuth | undefined): GatewayRequest {
  return {
    method: "POST",
    pathParams: { name: "desk" },
    body: { reason: "x", initiated_by: "root", __principal__: "root" },
    queryParams: { initiated_by: "root" },
    headers: { "x-principal": "root" },
    clientIp: "10.0.0.1",
    requestId: "r1",
    gateway: { name: "topo" },
    auth,
  } as unknown as GatewayRequest;
}

test("a resume that grants an approval wants the scope of granting one, and is recorded as such", async () => {
  const said: unknown[] = [];
  const { handle } = guardRoute({
    prefix: "",
    scopes: { operator: ["operate"], approver: ["approve"] },
    isLocal: true,
    record: async ({ event, agent, details }) =>
      void said.push([event, agent, details["approver"], details["id"]]),
    noteRefusal: ({ details }) => void said.push(["refused", details]),
    warn: () => undefined,
  })({
    method: "POST",
    path: "/agents/{name}/resume",
    handle: async () => ({ status: 200, body: undefined }),
  });
  const rows: readonly (readonly [string, object, number])[] = [
    ["operator", {}, 200],
    ["operator", { approval: "a1" }, 403],
    ["approver", { approval: "a1" }, 200],
    ["approver", {}, 403],
  ];
  for (const [id, body, status] of rows) {
    const response = await handle({ ...asked({ id }), body } as GatewayRequest);
    assert.equal(response.status, status, id);
  }
  const route = "POST /agents/{name}/resume";
  assert.deepEqual(said, [
    ["agent.resume", "desk", "operator", undefined],
    ["refused", { scope: "approve", route }],
    ["approval.approve", "desk", "approver", "a1"],
    ["refused", { scope: "operate", route }],
  ]);
});

test("a scope is wanted of identities that have some, and of nobody else", async () => {
  const said: unknown[] = [];
  const scopes: ScopeTable = {
    "api_key:0123456789abcdef": ["read"],
    "CN=ada, O=Acme": ["read", "operate"],
    approver: ["approve"],
    "*": ["read"],
  };
  const guarded = (table: ScopeTable) =>
    guardRoute({
      prefix: "/ops",
      scopes: table,
      isLocal: false,
      record: async ({ event, details }) => void said.push([event, details["initiated_by"]]),
      noteRefusal: ({ principal, details }) => void said.push(["refused", principal, details]),
      warn: (text, fields) => void said.push([text.slice(0, 40), fields["route"]]),
    });
  const rows: readonly (readonly [RequestAuth | undefined, ScopeTable, string, number])[] = [
    [undefined, scopes, "POST /agents/{name}/suspend", 200],
    [{ id: "ada" }, {}, "POST /agents/{name}/suspend", 200],
    [{ id: "ada" }, scopes, "POST /agents/{name}/suspend", 403],
    [{ id: "ada" }, scopes, "GET /agents", 200],
    [{ id: "CN=ada,O=Acme" }, scopes, "POST /agents/{name}/suspend", 200],
    [{ apiKey: { fingerprint: "0123456789abcdef" } }, scopes, "POST /agents/{name}/drain", 403],
    // What a middleware or a token says goes before the table.
    [{ id: "ada", scopes: ["operate"] }, scopes, "POST /unheard-of", 200],
    [{ id: "ada", scopes: ["openid"] }, {}, "GET /agents", 403],
    [{ id: "approver" }, scopes, "POST /approvals/{id}/approve", 200],
    [{ id: "approver" }, scopes, "POST /agents/{name}/resume", 403],
  ];
  for (const [auth, table, route, status] of rows) {
    const [method = "", path = ""] = route.split(" ");
    const handle = async () => ({ status: 200, body: undefined });
    const response = await guarded(table)({ method, path: `/ops${path}`, handle }).handle(
      asked(auth),
    );
    assert.equal(response.status, status, `${JSON.stringify(auth)} ${route}`);
    if (status === 403) assert.match(JSON.stringify(response.body), /lacks the scope '\w+'/);
  }
  assert.deepEqual(said, [
    ["A WRITE ROUTE WAS USED WITHOUT AN IDENTI", "POST /agents/{name}/suspend"],
    ["agent.suspend", "unauthenticated"],
    ["agent.suspend", "ada"],
    ["refused", "ada", { scope: "operate", route: "POST /agents/{name}/suspend" }],
    ["agent.suspend", "CN=ada,O=Acme"],
    [
      "refused",
      "api_key:0123456789abcdef",
      { scope: "operate", route: "POST /agents/{name}/drain" },
    ],
    ["control.write", "ada"],
    ["refused", "ada", { scope: "read", route: "GET /agents" }],
    ["approval.approve", undefined],
    ["refused", "approver", { scope: "operate", route: "POST /agents/{name}/resume" }],
  ]);
});
