/** Approvals of a process group whose states cannot be read: all others are listed, and the answer says what is missing. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";

const agents = `
import { Agent } from "agentrt";

export class Clerk extends Agent {
  override async handle() {
    return { id: await this.suspendForApproval({ kind: "refund", payload: {}, expiresMs: 86_400_000 }) };
  }
}
`;

const topology = (port: number, [pub, sub]: readonly number[]): string => `
transport: { type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }
plugins:
  state: { type: sqlite }
supervision:
  name: root
  children:
    - { name: refunds, type: keyed, process: heavy, config: { class: agents.Clerk, key: id } }
    - agent: { name: desk, type: agents.Clerk }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /desk, agent: desk }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

test("approvals of a group whose states cannot be read are named as missing; all others are listed, found and decided", async () => {
  const [port, pub, sub] = [await freePort(), await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "topology.yaml": topology(port, [pub, sub]),
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
    "agency_state-heavy.db": "this is no database, and it is longer than the head of one would be",
  });
  const options = { workingDirectory: folder.path };
  const binary = agentrtLauncher();
  await using supervisor = startProgram(process.execPath, [binary, "run"], options);
  await supervisor.waitFor(/started; Ctrl\+C stops/);
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    const retryAfter = response.headers.get("retry-after");
    return { status: response.status, retryAfter, body: (await response.json()) as never };
  };
  const { id } = (await ask("/desk", {})).body;
  const { status, body } = await ask("/approvals");
  const { approvals, groups_unread: groups } = body as {
    [name: string]: readonly { id: string }[];
  };
  assert.deepEqual([status, approvals?.map((each) => each.id), groups], [200, [id], ["heavy"]]);
  const unknown = await ask("/approvals/none");
  assert.deepEqual([unknown.status, unknown.retryAfter], [503, "1"]);
  assert.match(JSON.stringify(unknown.body), /some of process group heavy cannot be read/);

  const run = async (...words: string[]) =>
    await runProgram(process.execPath, [binary, "approvals", ...words], options);
  const listed = await run("list");
  assert.equal(listed.code, 1);
  assert.match(listed.stdout, new RegExp(id));
  assert.match(listed.stderr, /some are missing: the states of process group heavy cannot be read/);
  const json = await run("list", "--json");
  assert.deepEqual([json.code, JSON.parse(json.stdout).groups_unread], [1, ["heavy"]]);
  const none = await run("list", "--status", "denied");
  assert.deepEqual([none.code, none.stdout], [1, ""]);
  assert.equal((await run("approve", id)).code, 0);
});

const withWorker = (port: number, [pub, sub]: readonly number[]): string => `
transport: { type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }
plugins:
  state: { type: sqlite }
supervision:
  name: root
  children:
    - agent: { name: refunds, type: agents.Clerk, process: side }
    - agent: { name: desk, type: agents.Clerk }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /desk, agent: desk }
          - { method: POST, path: /refunds, agent: refunds }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

test("a worker that cannot read one of its own approvals is named as missing, and so is the process that has the tree", async () => {
  const [port, pub, sub] = [await freePort(), await freePort(), await freePort()];
  using folder = createTemporaryFolder({
    "topology.yaml": withWorker(port, [pub, sub]),
    "agents.ts": agents,
    "package.json": '{"type":"module"}',
  });
  const start = (...words: string[]) =>
    startProgram(process.execPath, [agentrtLauncher(), "run", ...words], {
      workingDirectory: folder.path,
    });
  const ask = async (where: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}${where}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const breakRow = (file: string, id: unknown): void => {
    const database = new DatabaseSync(path.join(folder.path, file));
    const change = "UPDATE agent_state SET state = '{}' WHERE agent_name LIKE '%' || ?";
    assert.equal(database.prepare(change).run(id as string).changes, 1);
    database.close();
  };
  const began = /started; Ctrl\+C stops/;
  const ids: unknown[] = [];
  {
    await using supervisor = start();
    await supervisor.waitFor(began);
    await using worker = start("--process", "side");
    await worker.waitFor(/has taken this worker/);
    for (const name of ["refunds", "desk"]) ids.push((await ask(`/${name}`, {}))["id"]);
    const { approvals, groups_unread: groups } = await ask("/approvals");
    assert.deepEqual([(approvals as unknown[]).length, groups], [2, undefined]);
    for (const program of [worker, supervisor]) {
      program.kill("SIGTERM");
      await program.exited();
    }
  }
  breakRow("agency_state-side.db", ids[0]);
  breakRow("agency_state.db", ids[1]);
  await using supervisor = start();
  await supervisor.waitFor(began);
  assert.deepEqual(await ask("/approvals"), { approvals: [], next: null, groups_unread: ["main"] });
  await using worker = start("--process", "side");
  await worker.waitFor(/has taken this worker/);
  const { groups_unread: groups } = await ask("/approvals");
  assert.deepEqual(groups, ["main", "side"]);
});
