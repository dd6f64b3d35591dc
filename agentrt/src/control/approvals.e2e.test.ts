/** Approvals of `agentrt run`, as people meet them over HTTP and on the command line, and over kill -9. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { agentrtLauncher, createTemporaryFolder, freePort, startProgram } from "testkit";
import { agentrt } from "../cli/test-support/agentrt.ts";

const binary = agentrtLauncher();

const agents = `
import { Agent, type Approval, type Message } from "agentrt";

const schema = {
  type: "object",
  properties: { amount: { type: "number", maximum: 500 } },
  required: ["amount"],
  additionalProperties: false,
};

export class Refunds extends Agent {
  override async handle({ payload }: Message) {
    const { amount } = payload;
    if (amount === undefined) return { paid: this.state["paid"] ?? [] };
    const expiresMs = 86_400_000;
    const asked = { kind: "refund", payload: { amount }, expiresMs };
    return { id: await this.suspendForApproval(amount === 7 ? asked : { ...asked, schema }) };
  }
  override async onApproval(approval: Approval) {
    console.log(this.name + " hears " + approval.status + " " + approval.note);
    const { amount } = approval.granted();
    this.state["paid"] = [...((this.state["paid"] ?? []) as number[]), Number(amount)];
  }
}
export class Desk extends Agent {
  override async handle({ payload }: Message) {
    await this.spawn("agents.Refunds", "desk-1");
    return await this.call("desk-1", payload);
  }
}
`;
const guards = `
import type { Middleware } from "agentrt";

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;

interface Ports {
  readonly api: number;
  readonly ops: number;
  readonly quick: number;
}

const topology = ({ api, ops, quick }: Ports): string => `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - agent: { name: refunds, type: agents.Refunds }
    - { name: ticket, type: keyed, class: agents.Refunds, key: ticket }
    - { name: desks, type: dynamic_supervisor, config: { class_allowlist: ["agents.Refunds"] } }
    - agent: { name: desk, type: agents.Desk }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: ${api}, request_timeout: 5 }
    - name: quick
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${quick}
        routes: [{ method: POST, path: /refunds, agent: refunds, fail_if_suspended: true }]
    - name: ops
      type: topology_server
      config: { port: ${ops}, auth: { middleware: [guards.badge] } }
`;

type Answer = readonly [status: number, body: { readonly [name: string]: unknown }];

async function ask(target: string, body?: unknown, badge = "ada"): Promise<Answer> {
  const [method = "", url = ""] = target.split(" ");
  const response = await fetch(`http://127.0.0.1:${url}`, {
    method,
    headers: {
      "content-type": "application/json",
      "x-agentrt-fail-if-suspended": "true",
      ...(badge === "" ? {} : { "x-badge": badge }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return [response.status, (await response.json()) as Answer[1]];
}

test("approvals are listed, decided once by who authenticated, and outlive kill -9", async () => {
  const ports = { api: await freePort(), ops: await freePort(), quick: await freePort() };
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "guards.ts": guards,
    "topology.yaml": topology(ports),
  });
  const start = async () => {
    const program = startProgram(process.execPath, [binary, "run"], {
      workingDirectory: folder.path,
    });
    await program.waitFor(/started/);
    return program;
  };
  const request = async (agent: string, payload: object): Promise<string> => {
    const [, { id }] = await ask(`POST ${ports.api}/agents/${encodeURIComponent(agent)}`, payload);
    assert.equal(typeof id, "string", `${agent}: no id`);
    return String(id);
  };
  const ops = (target: string, body?: unknown, badge?: string): Promise<Answer> =>
    ask(target.replace(" ", ` ${ports.ops}`), body, badge);
  const operate = async (...words: string[]) => {
    const line = [...words, "-H", "X-Badge: grace"];
    const { exitCode: code, ...outcome } = await agentrt(line, { directory: folder.path });
    return { code, ...outcome };
  };
  // It waits until the agent has got its decision.
  const paid = async (agent: string): Promise<unknown> => {
    const url = `http://127.0.0.1:${ports.api}/agents/${agent}`;
    const body = await (await fetch(url, { method: "POST" })).json();
    return (body as Answer[1])["paid"];
  };

  const ids: { [agent: string]: string } = {};
  {
    await using program = await start();
    ids["refunds"] = await request("refunds", { amount: 20 });
    ids["ticket/4711"] = await request("ticket", { ticket: "4711", amount: 7 });
    ids["desk-1"] = await request("desk", { amount: 30 });
    await program.waitFor(/an approval waits.*desk-1/);
    program.kill("SIGKILL");
    await program.exited();
  }
  await using program = await start();
  for (const agent of ["refunds", "ticket/4711", "desk-1"])
    await program.waitFor(new RegExp(`an approval waits from before.*${agent}`));
  assert.deepEqual(await ops("GET /health", undefined, ""), [
    200,
    { status: "ok", approvals: { pending: 3 } },
  ]);
  assert.equal((await ops("GET /approvals", undefined, ""))[0], 401);
  const [status, page] = await ops("GET /approvals?status=pending");
  const listed = page["approvals"] as { [name: string]: unknown }[];
  assert.deepEqual(
    [status, page["next"], listed.map(({ agent, key, kind }) => [agent, key, kind])],
    [
      200,
      null,
      [
        ["refunds", null, "refund"],
        ["ticket/4711", "4711", "refund"],
        ["desk-1", null, "refund"],
      ],
    ],
  );
  const [, one] = await ops(`GET /approvals/${ids["ticket/4711"]}`);
  const { created_at: createdAt, expires_at: expiresAt, ...rest } = one;
  assert.equal(Math.round(Number(expiresAt) - Number(createdAt)), 86_400);
  assert.deepEqual(rest, {
    id: ids["ticket/4711"],
    agent: "ticket/4711",
    key: "4711",
    kind: "refund",
    payload: { amount: 7 },
    schema: null,
    status: "pending",
    decided_at: null,
    principal: null,
    note: null,
    edited_payload: null,
    delivered: false,
  });
  const [, first] = await ops("GET /approvals?limit=1");
  assert.equal(first["next"], ids["refunds"]);
  const [, second] = await ops(`GET /approvals?limit=1&after=${first["next"]}`);
  assert.deepEqual(
    (second["approvals"] as { id: string }[]).map(({ id }) => id),
    [ids["ticket/4711"]],
  );
  const [, ofTicket] = await ops("GET /approvals?agent=ticket");
  assert.equal((ofTicket["approvals"] as unknown[]).length, 1);
  const [, desk] = await ops("GET /agents/refunds");
  assert.deepEqual([desk["status"], desk["approvals"]], ["SUSPENDED", [ids["refunds"]]]);

  // Who does not wait for a suspended agent is told at once: the client's wish, and that of the route.
  const suspended = [503, { error: "agent 'refunds' is suspended" }];
  assert.deepEqual(await ask(`POST ${ports.api}/agents/refunds`, {}), suspended);
  const quick = await fetch(`http://127.0.0.1:${ports.quick}/refunds`, { method: "POST" });
  assert.deepEqual([quick.status, await quick.json()], suspended);

  const { refunds: id = "" } = ids;
  const rows: readonly (readonly [target: string, body: unknown, Answer])[] = [
    ["GET /approvals/nobody", undefined, [404, { error: "approval 'nobody' not found" }]],
    ["POST /approvals/nobody/approve", {}, [404, { error: "approval 'nobody' not found" }]],
    ["POST /approvals/nobody/deny", {}, [404, { error: "approval 'nobody' not found" }]],
    [
      "GET /approvals?status=pendng",
      undefined,
      [
        400,
        {
          error:
            'status must be one of pending, approved, denied, expired; did you mean "pending"?',
        },
      ],
    ],
    [
      "GET /approvals?limit=0",
      undefined,
      [400, { error: "limit must be a whole number of 1 to 1000" }],
    ],
    [
      `POST /approvals/${id}/approve`,
      { payload: { amount: 501 } },
      [
        400,
        { error: `approval '${id}' cannot have this payload: payload.amount: must be at most 500` },
      ],
    ],
    [
      `POST /approvals/${id}/approve`,
      { payload: [] },
      [400, { error: "payload must be an object" }],
    ],
    [
      `POST /approvals/${id}/approve`,
      { principal: "root" },
      [400, { error: "unknown key 'principal': want note, payload" }],
    ],
    [
      `POST /approvals/${id}/deny`,
      { payload: {} },
      [400, { error: "unknown key 'payload': want note" }],
    ],
    [`POST /approvals/${id}/deny`, { note: 7 }, [400, { error: "note must be text" }]],
    [
      "POST /agents/refunds/resume",
      {},
      [
        409,
        {
          error: `Cannot resume "refunds": it waits for an approval and none was named: ${id}`,
        },
      ],
    ],
    [
      "POST /agents/refunds/resume",
      { approval: ids["desk-1"] },
      [404, { error: `approval '${ids["desk-1"]}' not found` }],
    ],
    [
      "DELETE /approvals",
      undefined,
      [405, { error: "method DELETE is not allowed for /approvals" }],
    ],
  ];
  for (const [target, body, expected] of rows)
    assert.deepEqual(await ops(target, body), expected, target);

  // Two at once: one is first. What a client says of itself does not count.
  const both = await Promise.all([
    ops(`POST /approvals/${id}/approve?principal=root`, { payload: { amount: 5 }, note: "less" }),
    ops(`POST /approvals/${id}/deny`, { __principal__: { id: "root" } }, "bob"),
  ]);
  const [won, lost] = both[0]?.[0] === 200 ? both : [both[1], both[0]];
  const isApproved = won === both[0];
  assert.deepEqual(
    [won?.[0], won?.[1]["status"], won?.[1]["principal"]],
    [200, isApproved ? "approved" : "denied", isApproved ? "ada" : "bob"],
  );
  assert.equal(lost?.[0], 409);
  assert.match(
    String(lost?.[1]["error"]),
    /^approval '.*' is not pending: it was (approved|denied) by /,
  );
  assert.deepEqual(await paid("refunds"), isApproved ? [5] : []);

  const list = await operate("approvals", "list");
  assert.equal(list.code, 0, list.stderr);
  assert.match(
    list.stdout,
    /^Approval +Agent +Kind +Status +Expires\n.*ticket\/4711 +refund +pending/,
  );
  const ticket = ids["ticket/4711"] ?? "";
  const shown = await operate("approvals", "show", ticket.slice(0, -3));
  assert.match(
    shown.stdout,
    /^approval .*\n {2}agent {4}ticket\/4711\n[^]*"amount": 7[^]*not edited\n$/,
  );
  const mistyped = await operate("approvals", "show", `${ticket.slice(0, -1)}x`);
  assert.equal(mistyped.code, 1);
  assert.ok(mistyped.stderr.includes(`did you mean "${ticket}"?`), mistyped.stderr);
  const common = await operate("approvals", "deny", ticket.slice(0, 2));
  assert.match(common.stderr, /Cannot deny "..": 3 begin so: /);
  const edited = await operate("approvals", "approve", ticket, "--payload", '{"amount":8}');
  assert.equal(edited.code, 1);
  assert.match(edited.stderr, /it has no schema, so it is not edited, HTTP status 400/);
  assert.equal((await operate("approvals", "approve", ticket, "--payload", "8")).code, 2);
  const approved = await operate("approvals", "approve", ticket, "--note", "fine");
  assert.deepEqual(
    [approved.code, approved.stdout],
    [0, 'refund of "ticket/4711" is approved by grace\n'],
  );
  const again = await operate("approvals", "deny", ticket);
  assert.match(again.stderr, /it was approved by grace at .*, HTTP status 409/);
  await program.waitFor(/ticket\/4711 hears approved fine/);

  // A spawned child is not there after a kill: it gets the decision once it is spawned again.
  const denied = await operate("approvals", "deny", ids["desk-1"] ?? "", "--json");
  assert.deepEqual(
    [denied.code, (JSON.parse(denied.stdout) as Answer[1])["status"]],
    [0, "denied"],
  );
  program.kill("SIGKILL");
  await program.exited();
  await using last = await start();
  const [, decided] = await ops("GET /approvals");
  assert.deepEqual(
    (decided["approvals"] as { status: string }[]).map((each) => each.status),
    [isApproved ? "approved" : "denied", "approved", "denied"],
  );
  assert.equal((await ops(`POST /approvals/${id}/approve`, {}))[0], 409);
  assert.deepEqual(await paid("refunds"), isApproved ? [5] : []);
  const byKey = await ask(`POST ${ports.api}/agents/ticket`, { ticket: "4711" });
  assert.deepEqual(byKey, [200, { paid: [7] }]);
  assert.deepEqual(await ask(`POST ${ports.api}/agents/desk`, {}), [200, { paid: [] }]);
  await last.waitFor(/desk-1 hears denied null/);
  assert.deepEqual(await ops("GET /health"), [200, { status: "ok" }]);

  // Named in a resume, it is approved by that.
  const named = await request("refunds", { amount: 9 });
  assert.deepEqual(await ops("POST /agents/refunds/resume", { approval: named }), [
    200,
    { status: "resume_requested", agent: "refunds", approver: "ada" },
  ]);
  assert.equal((await ops(`GET /approvals/${named}`))[1]["principal"], "ada");
  assert.deepEqual(await paid("refunds"), [...(isApproved ? [5] : []), 9]);
});
