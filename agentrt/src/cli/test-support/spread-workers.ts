import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  skipUnless,
  startNats,
  startProgram,
} from "testkit";

type JsonObject = { readonly [name: string]: unknown };

const binary = agentrtLauncher();

/** The agents of the topology. */
export const spreadAgents = `
import { Agent } from "agentrt";

export class Counter extends Agent {
  override async handle() {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { pid: process.pid, key: this.key, count: this.state["count"] };
  }
}

export class Ledger extends Agent {
  override async handle({ payload }) {
    if (payload.say === "crash") throw new Error("the ledger broke");
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { pid: process.pid, count: this.state["count"] };
  }
}

export class Helper extends Agent {
  override async handle({ payload }) {
    if (typeof payload.seconds === "number")
      await new Promise((resolve) => setTimeout(resolve, payload.seconds * 1000));
    return { pid: process.pid, member: this.name };
  }
}

export class Member extends Agent {
  override async handle({ payload }) {
    if (payload.say === "hang") {
      console.log("hanging;");
      await new Promise(() => undefined);
    }
    // What an agent of one worker sends to a key goes to the worker that has it.
    const { count } = await this.call("counter", {}, { key: "of-members" });
    return { pid: process.pid, member: this.name, count };
  }
}
`;

const topology = (
  transport: string,
  state: string,
  port: number,
): string => `transport: ${transport}
plugins:
  state: ${state}
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - { name: counter, type: keyed, process: heavy, config: { class: agents.Counter, key: id } }
    - { name: team, type: pool, process: heavy, config: { class: agents.Member, size: 4 } }
    - { name: crew, type: pool, process: heavy, config: { class: agents.Helper, min: 2, max: 4, scale_after: 0.2, idle: 1 } }
    - supervisor:
        name: books
        max_restarts: 100
        backoff_base: 0.01
        children:
          - agent: { name: ledger, type: agents.Ledger, process: heavy }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /count, agent: counter }
          - { method: POST, path: /team, agent: team }
          - { method: POST, path: /ledger, agent: ledger }
          - { method: POST, path: /crew, agent: crew }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

async function post(port: number, path: string, body: JsonObject): Promise<[number, JsonObject]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return [response.status, (await response.json()) as JsonObject];
}

async function get(port: number, path: string): Promise<JsonObject> {
  return (await (await fetch(`http://127.0.0.1:${port}${path}`)).json()) as JsonObject;
}

/** Asks until it is served; what cannot be is said by a status that says to try again. */
async function served(port: number, path: string, body: JsonObject): Promise<JsonObject> {
  for (;;) {
    const [status, answer] = await post(port, path, body);
    if (status === 200) return answer;
    assert.match(String(status), /^50[23]$/, JSON.stringify(answer));
    await new Promise(setImmediate);
  }
}

/** @returns What each worker has of a node, by the control plane. */
async function placement(
  port: number,
  name: string,
): Promise<{ readonly [worker: string]: number }> {
  const { placement: found } = await get(port, `/agents/${name}`);
  return (found ?? {}) as { readonly [worker: string]: number };
}

async function untilPlaced(
  port: number,
  name: string,
  wanted: { readonly workers: number; readonly all: number },
): Promise<void> {
  for (;;) {
    const counts = Object.values(await placement(port, name));
    const sum = counts.reduce((one, other) => one + other, 0);
    if (counts.length === wanted.workers && sum === wanted.all && !counts.includes(0)) return;
    await new Promise(setImmediate);
  }
}

/** Where processes meet, and what their states are kept in. */
export interface SpreadCase {
  readonly name: string;
  readonly skip: string | false;
  /** Starts what it needs; both texts are sections of a topology. */
  readonly open: () => Promise<
    AsyncDisposable & { readonly transport: string; readonly state: string }
  >;
}

/** One server for messages and states. */
export const natsKvCase: SpreadCase = {
  name: "nats and nats_kv",
  skip: skipUnless("nats-server"),
  open: async () => {
    const nats = await startNats({ jetStream: true });
    return {
      transport: `{ type: nats, servers: "${nats.url}" }`,
      state: "{ type: nats_kv }",
      [Symbol.asyncDispose]: async () => await nats[Symbol.asyncDispose](),
    };
  },
};

/** Workers on one machine, without a server. */
export const zmqSqliteCase: SpreadCase = {
  name: "zmq and sqlite",
  skip: false,
  open: async () => {
    const [pub, sub] = [await freePort(), await freePort()];
    return {
      transport: `{ type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }`,
      state: "{ type: sqlite }",
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);

/** Two workers of one group over what a case has, one of which is killed, stopped and started again. */
export function testSpreadWorkers({ name, skip, open }: SpreadCase): void {
  test(
    `${name}: keys and members are on two workers, and go on when one is killed`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.transport, meeting.state, port),
        "agents.ts": spreadAgents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
        });
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      const [away] = await post(port, "/count", { id: "k0" });
      assert.equal(away, 503);
      const keysAway = await fetch(`http://127.0.0.1:${port}/agents/counter/keys`);
      assert.deepEqual([keysAway.status, keysAway.headers.get("retry-after")], [503, "1"]);
      assert.match(await keysAway.text(), /no worker of process 'heavy' is there/);
      const noKeys = await fetch(`http://127.0.0.1:${port}/agents/judge/keys`);
      assert.equal(noKeys.status, 404, await noKeys.text());

      await using first = start("--process", "heavy");
      await untilPlaced(port, "counter", { workers: 1, all: 256 });
      const count = async () =>
        await Promise.all(keys.map(async (id) => await served(port, "/count", { id })));
      const one = await count();
      assert.ok(one.every((each) => each["count"] === 1));
      await using second = start("--process", "heavy");
      await untilPlaced(port, "counter", { workers: 2, all: 256 });
      await untilPlaced(port, "team", { workers: 2, all: 4 });

      // The second one has its share, with the states of the first.
      const two = await count();
      assert.ok(two.every((each) => each["count"] === 2));
      const [pidOne, pidTwo] = [
        one[0]?.["pid"],
        two.find((each) => each["pid"] !== one[0]?.["pid"])?.["pid"],
      ];
      assert.ok(pidTwo !== undefined);
      const atTwo = two.filter((each) => each["pid"] === pidTwo).length;
      assert.ok(atTwo > 5 && atTwo < 35, String(atTwo));

      // The keys of both are one list, in pages.
      const listed: unknown[] = [];
      for (let after = ""; after !== "null";) {
        const page = await get(port, `/agents/counter/keys?limit=15&contains=k&after=${after}`);
        listed.push(...(page["keys"] as JsonObject[]).map(({ name: key }) => key));
        after = String(page["next"]);
      }
      assert.deepEqual(listed, keys.map((key) => `counter/${key}`).sort());

      // Members take turns; what they send to a key is counted at one place.
      const team = await Promise.all(
        Array.from({ length: 12 }, async () => await served(port, "/team", {})),
      );
      assert.deepEqual(new Set(team.map((each) => each["pid"])), new Set([pidOne, pidTwo]));
      assert.deepEqual(
        team.map((each) => Number(each["count"])).sort((a, b) => a - b),
        Array.from({ length: 12 }, (_, index) => index + 1),
      );

      const { processes } = (await get(port, "/processes")) as { readonly processes: JsonObject[] };
      assert.deepEqual(
        processes.map(({ kind, id, pid }) => [kind, id, pid]),
        [
          ["runtime", "control", processes[0]?.["pid"]],
          ["worker", "heavy/1", pidOne],
          ["worker", "heavy/2", pidTwo],
        ],
      );
      const { supervision } = (await get(port, "/topology")) as {
        readonly supervision: JsonObject;
      };
      const children = (supervision ?? (await get(port, "/topology")))["children"] as JsonObject[];
      const [counter, pool] = children;
      assert.deepEqual(
        Object.keys(counter?.["placement"] as object),
        ["heavy/1", "heavy/2"],
        JSON.stringify(children),
      );
      assert.deepEqual(pool?.["placement"], { "heavy/1": 2, "heavy/2": 2 });
      const member = await get(port, `/agents/${encodeURIComponent("team/1")}`);
      assert.deepEqual(member["above"], ["root", "team"], JSON.stringify(member));
      assert.match(String(member["process_id"]), /^heavy\/[12]$/);
      const { agents: rows } = await get(port, "/overview?agent=team/1");
      assert.deepEqual(
        (rows as JsonObject[]).map(({ name: row }) => row),
        ["team/1"],
      );
      const state = await get(port, `/agents/${encodeURIComponent("counter/k0")}/state`);
      assert.deepEqual(state, { agent: "counter/k0", state: { count: 2 } });

      // Killed, it takes what its members had at hand; its keys go on at the other one with what they saved.
      const hanging = Array.from(
        { length: 4 },
        async () => await post(port, "/team", { say: "hang" }),
      );
      await second.waitFor(/(?:hanging;[^]*){2}/);
      second.kill("SIGKILL");
      await second.exited();
      const three = await count();
      assert.ok(three.every((each) => each["count"] === 3 && each["pid"] === pidOne));
      const lost = await Promise.race(hanging);
      assert.deepEqual(lost, [502, { error: "agent 'team' was lost with its process" }]);
      await untilPlaced(port, "team", { workers: 1, all: 4 });

      // One that stops by a signal hands over at once, and nothing is lost meanwhile.
      await using third = start("--process", "heavy");
      await untilPlaced(port, "counter", { workers: 2, all: 256 });
      const ids = keys.map(async (id) => await post(port, "/count", { id }));
      third.kill("SIGTERM");
      assert.equal((await third.exited()).code, 0);
      const answers = await Promise.all(ids);
      assert.ok(
        answers.every(([status]) => status === 200),
        JSON.stringify(answers),
      );
      const four = answers.map(([, answer]) => answer);
      assert.ok(
        four.every((each) => each["count"] === 4),
        JSON.stringify(four),
      );
      const five = await count();
      const isNext = (each: JsonObject, before: JsonObject | undefined): boolean =>
        each["count"] === Number(before?.["count"]) + 1;
      assert.ok(five.every((each, index) => isNext(each, four[index])));

      // The supervisor is killed: the next one finds who has what.
      supervisor.kill("SIGKILL");
      await supervisor.exited();
      await using next = start();
      await next.waitFor(/started; Ctrl\+C stops/);
      const six = await count();
      assert.ok(six.every((each, index) => isNext(each, five[index]) && each["pid"] === pidOne));
      first.kill("SIGTERM");
      next.kill("SIGTERM");
      assert.deepEqual([(await next.exited()).code], [0]);
    },
  );
}

/** An agent of a group of two workers over what a case has: the worker that has it is killed, then stopped. */
export function testSpreadAgent({ name, skip, open }: SpreadCase): void {
  test(
    `${name}: an agent is at one of two workers, and goes to the other one with its state`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.transport, meeting.state, port),
        "agents.ts": spreadAgents,
        "package.json": '{"type":"module"}',
      });
      const start = (...words: string[]) =>
        startProgram(process.execPath, [binary, "run", ...words], {
          workingDirectory: folder.path,
        });
      await using supervisor = start();
      await supervisor.waitFor(/started; Ctrl\+C stops/);
      assert.equal((await post(port, "/ledger", {}))[0], 503);
      await using first = start("--process", "heavy");
      const one = await served(port, "/ledger", {});
      assert.equal(one["count"], 1);
      await using second = start("--process", "heavy");
      await untilPlaced(port, "team", { workers: 2, all: 4 });
      assert.deepEqual(await served(port, "/ledger", {}), { pid: one["pid"], count: 2 });
      const described = await get(port, "/agents/ledger");
      assert.equal(described["process_id"], "heavy/1", JSON.stringify(described));
      assert.deepEqual(await get(port, "/agents/ledger/state"), {
        agent: "ledger",
        state: { count: 2 },
      });

      // A pool with min and max becomes larger on both while messages wait, and smaller again.
      await untilPlaced(port, "crew", { workers: 2, all: 2 });
      const crew = await Promise.all(
        Array.from({ length: 8 }, async () => await served(port, "/crew", { seconds: 1 })),
      );
      assert.equal(new Set(crew.map(({ member }) => member)).size, 4);
      assert.equal(new Set(crew.map(({ pid }) => pid)).size, 2);
      await untilPlaced(port, "crew", { workers: 2, all: 2 });

      // Its supervisor restarts it; an operator suspends it where it is.
      assert.equal((await post(port, "/ledger", { say: "crash" }))[0], 502);
      assert.deepEqual(await served(port, "/ledger", {}), { pid: one["pid"], count: 3 });
      assert.equal((await post(port, "/agents/ledger/suspend", { reason: "to look" }))[0], 200);
      assert.equal((await get(port, "/agents/ledger"))["status"], "SUSPENDED");
      assert.equal((await post(port, "/agents/ledger/resume", {}))[0], 200);
      // The answer says that it was asked for; a message is handled when it is saved.
      assert.deepEqual(await served(port, "/ledger", {}), { pid: one["pid"], count: 4 });

      first.kill("SIGKILL");
      await first.exited();
      const moved = await served(port, "/ledger", {});
      assert.equal(moved["count"], 5);
      assert.notEqual(moved["pid"], one["pid"]);
      await using third = start("--process", "heavy");
      await untilPlaced(port, "team", { workers: 2, all: 4 });

      // One that stops by a signal lets it go; what comes meanwhile is answered.
      second.kill("SIGTERM");
      const [status, last] = await post(port, "/ledger", {});
      assert.equal(status, 200, JSON.stringify(last));
      assert.equal((await second.exited()).code, 0);
      assert.equal(last["count"], 6);
      const after = await served(port, "/ledger", {});
      assert.equal(after["count"], 7);
      assert.notEqual(after["pid"], moved["pid"]);
      supervisor.kill("SIGTERM");
      assert.equal((await supervisor.exited()).code, 0);
      third.kill("SIGTERM");
      assert.equal((await third.exited()).code, 0);
    },
  );
}

/** A supervisor that starts two workers of one group itself, over what a case has. */
export function testSpawnedGroup({ name, skip, open }: SpreadCase): void {
  test(
    `${name}: --spawn-workers=2 starts two workers of a group, again when one dies, and none outlives it`,
    { skip },
    async () => {
      await using meeting = await open();
      const port = await freePort();
      using folder = createTemporaryFolder({
        "topology.yaml": topology(meeting.transport, meeting.state, port),
        "agents.ts": spreadAgents,
        "package.json": '{"type":"module"}',
      });
      await using run = startProgram(
        process.execPath,
        [binary, "run", "--spawn-workers=2", "topology.yaml"],
        { workingDirectory: folder.path },
      );
      await run.waitFor(/\[heavy#1\] started; Ctrl\+C stops/);
      await run.waitFor(/\[heavy#2\] started; Ctrl\+C stops/);
      await untilPlaced(port, "team", { workers: 2, all: 4 });
      const { pid } = await served(port, "/ledger", {});
      process.kill(Number(pid), "SIGKILL");
      await run.waitFor(/worker "heavy#[12]" ended with SIGKILL: started again in 0.1 s/);
      const moved = await served(port, "/ledger", {});
      assert.equal(moved["count"], 2);
      assert.notEqual(moved["pid"], pid);
      await untilPlaced(port, "team", { workers: 2, all: 4 });
      const { processes } = (await get(port, "/processes")) as { readonly processes: JsonObject[] };
      run.kill("SIGTERM");
      assert.equal((await run.exited()).code, 0);
      const pids = processes.map((each) => Number(each["pid"]));
      assert.equal(pids.length, 3);
      for (const each of pids) assert.throws(() => process.kill(each, 0), { code: "ESRCH" });
    },
  );
}
