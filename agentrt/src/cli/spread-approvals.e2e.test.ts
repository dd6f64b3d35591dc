/** Approvals of keys, members of a pool and an agent on several workers: real processes are killed, stopped and started between a request and its decision, and each agent gets each decision once. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  runProgram,
  startProgram,
} from "testkit";
import { natsKvCase, type SpreadCase, zmqSqliteCase } from "./test-support/spread-workers.ts";

type JsonObject = { readonly [name: string]: unknown };

const agents = `
import { appendFileSync } from "node:fs";
import { Agent } from "agentrt";

export class Refunds extends Agent {
  override async handle({ payload }) {
    if (payload.say === "look") return { pid: process.pid, ...this.state };
    this.state["asked"] = Number(this.state["asked"] ?? 0) + 1;
    await this.checkpoint();
    const { amount, expiresMs = 86_400_000 } = payload;
    const id = await this.suspendForApproval({ kind: "refund", payload: { amount }, expiresMs });
    return { pid: process.pid, id };
  }
  override async onApproval({ id, status, payload }) {
    const given = { id, status, amount: payload.amount, asked: this.state["asked"] };
    this.state["given"] = [...(this.state["given"] ?? []), given];
  }
}

export class Member extends Agent {
  override async handle({ payload }) {
    if (payload.say === "look") return { pid: process.pid };
    const { amount, expiresMs = 86_400_000 } = payload;
    const id = await this.suspendForApproval({ kind: "refund", payload: { amount }, expiresMs });
    return { pid: process.pid, id };
  }
  override onApproval({ id, status, payload, isRepeated }) {
    appendFileSync("given.log", [id, status, payload.amount, isRepeated].join(" ") + "\\n");
  }
}
`;

const topology = (transport: string, state: string, port: number): string => `
transport: ${transport}
plugins:
  state: ${state}
supervision:
  name: root
  backoff_base: 0.01
  max_restarts: 100
  children:
    - { name: refunds, type: keyed, process: heavy, config: { class: agents.Refunds, key: id } }
    - { name: team, type: pool, process: heavy, config: { class: agents.Member, size: 8 } }
    - agent: { name: desk, type: agents.Refunds, process: heavy }
    - name: api
      type: http_gateway
      config:
        host: 127.0.0.1
        port: ${port}
        topology_agent: control
        routes:
          - { method: POST, path: /refunds, agent: refunds }
          - { method: POST, path: /desk, agent: desk }
          - { method: POST, path: /team, agent: team }
    - { name: control, type: topology_server, config: { attach_to: api } }
`;

/** What members of the pool ask: so few that each worker has free ones. */
const ofTeam = ["team one", "team two"];
/** The agent, members of the pool, and keys of the keyed one: enough that two workers have some each. */
const names = ["desk", ...ofTeam, ...Array.from({ length: 11 }, (_, index) => `k${index}`)];

/** What an agent was given. */
interface Given {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  /** How often it had asked by then. */
  readonly asked: number;
}

/** The agents of one topology, what they ask, and what they are to have been given in the end. */
class Office {
  readonly #port: number;
  readonly #folder: string;
  /** What each one waits for. */
  readonly open = new Map<string, Omit<Given, "status">>();
  readonly #expected = new Map<string, Given[]>(names.map((name) => [name, []]));
  #amount = 0;

  constructor(port: number, folder: string) {
    this.#port = port;
    this.#folder = folder;
  }

  start(...words: string[]) {
    return startProgram(process.execPath, [agentrtLauncher(), "run", ...words], {
      workingDirectory: this.#folder,
      timeoutMs: 900_000,
    });
  }

  async #ask(path: string, body?: JsonObject): Promise<[number, JsonObject]> {
    const response = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    return [response.status, (await response.json()) as JsonObject];
  }

  /** Asks until it is served; what cannot be at the moment is said by a status that says to try again. */
  async served(path: string, body?: JsonObject): Promise<JsonObject> {
    for (;;) {
      const [status, answer] = await this.#ask(path, body);
      if (status === 200) return answer;
      assert.match(String(status), /^50[234]$/, JSON.stringify(answer));
      await new Promise(setImmediate);
    }
  }

  async #say(name: string, body: JsonObject): Promise<JsonObject> {
    if (name === "desk") return await this.served("/desk", body);
    if (ofTeam.includes(name)) return await this.served("/team", body);
    return await this.served("/refunds", { ...body, id: name });
  }

  /** Each agent asks for an approval. @returns The processes that they are in. */
  async askAll(expiresMs?: number): Promise<ReadonlySet<number>> {
    const asked = names.map(async (name) => {
      const amount = (this.#amount += 1);
      const body = expiresMs === undefined ? { amount } : { amount, expiresMs };
      const { id, pid } = await this.#say(name, body);
      const asked = (this.#expected.get(name)?.length ?? 0) + 1;
      this.open.set(name, { id: String(id), amount, asked });
      return Number(pid);
    });
    return new Set(await Promise.all(asked));
  }

  /** Waits until all that was asked is listed with a status; whatever list is answered has all of it. */
  async untilListed(asked: readonly { readonly id: string }[], status: string): Promise<void> {
    const ids = asked.map(({ id }) => id);
    for (;;) {
      const { approvals } = await this.served("/approvals?limit=1000");
      const listed = approvals as JsonObject[];
      const found = new Map(listed.map((each) => [each["id"], each["status"]]));
      assert.equal(found.size, listed.length);
      assert.deepEqual(
        ids.filter((id) => !found.has(id)),
        [],
      );
      if (ids.every((id) => found.get(id) === status)) return;
      await new Promise(setImmediate);
    }
  }

  /** Waits until all that is open is listed as pending. */
  async untilPending(): Promise<void> {
    await this.untilListed([...this.open.values()], "pending");
  }

  /** Waits until an approval is one that its agent has got. */
  async untilDelivered(id: string): Promise<JsonObject> {
    for (;;) {
      const approval = await this.served(`/approvals/${id}`);
      if (approval["delivered"] === true) return approval;
      await new Promise(setImmediate);
    }
  }

  /** Two decide at the same time, each until it is answered; one of them does. */
  async decide(name: string, act: "approve" | "deny"): Promise<void> {
    const { id } = this.#close(name, act === "approve" ? "approved" : "denied");
    const decide = async (): Promise<number> => {
      for (;;) {
        const [status, answer] = await this.#ask(`/approvals/${id}/${act}`, {});
        if (status === 200 || status === 409) return status;
        assert.equal(status, 503, JSON.stringify(answer));
        await new Promise(setImmediate);
      }
    };
    assert.deepEqual((await Promise.all([decide(), decide()])).sort(), [200, 409]);
  }

  /** A person decides in a shell. */
  async decideInShell(name: string, act: "approve" | "deny"): Promise<void> {
    const { id } = this.#close(name, act === "approve" ? "approved" : "denied");
    assert.match(await this.#run("list"), new RegExp(id));
    assert.match(await this.#run("show", id), /pending/);
    await this.#run(act, id, "--note", "as agreed");
  }

  async #run(...words: string[]): Promise<string> {
    const ran = await runProgram(process.execPath, [agentrtLauncher(), "approvals", ...words], {
      workingDirectory: this.#folder,
    });
    assert.equal(ran.code, 0, ran.stderr);
    return ran.stdout;
  }

  /** All that is open expires. */
  expire(): void {
    for (const name of names) this.#close(name, "expired");
  }

  #close(name: string, status: string): Given {
    const asked = this.open.get(name);
    assert.ok(asked !== undefined);
    this.open.delete(name);
    const given = { ...asked, status };
    this.#expected.get(name)?.push(given);
    return given;
  }

  /** All agents have got all decisions, once each, with the states that they had; @returns the processes that they are in. */
  async check(): Promise<ReadonlySet<number>> {
    assert.equal(this.open.size, 0);
    const looked = names.map(async (name) => {
      const { pid, given, asked } = await this.#say(name, { say: "look" });
      const expected = this.#expected.get(name) ?? [];
      if (!ofTeam.includes(name))
        assert.deepEqual({ given, asked }, { given: expected, asked: expected.length }, name);
      for (const { id, status } of expected)
        assert.equal((await this.untilDelivered(id))["status"], status);
      return Number(pid);
    });
    const pids = new Set(await Promise.all(looked));
    // Members of pools have no states: what they were given is in a file.
    const given = readFileSync(join(this.#folder, "given.log"), "utf8").trimEnd().split("\n");
    const expected = ofTeam.flatMap((name) => this.#expected.get(name) ?? []);
    assert.deepEqual(
      given.map((line) => line.replace(/ (true|false)$/, "")).sort(),
      expected.map(({ id, status, amount }) => `${id} ${status} ${amount}`).sort(),
    );
    return pids;
  }

  /** Waits until so many workers have all keys; meanwhile all that is open is listed. */
  async untilPlaced(workerCount: number): Promise<void> {
    for (;;) {
      const { placement = {} } = await this.served("/agents/refunds");
      const counts = Object.values(placement as { readonly [worker: string]: number });
      const sum = counts.reduce((one, other) => one + other, 0);
      if (counts.length === workerCount && sum === 256 && !counts.includes(0)) return;
      await this.untilPending();
      await new Promise(setImmediate);
    }
  }
}

/** Decides about so many that are open: most in requests, one in a shell, some yes, some no. */
async function decide(office: Office, count = names.length): Promise<void> {
  const chosen = [...office.open.keys()].slice(0, count);
  const last = chosen.pop() ?? "";
  // One after another: those that are on their way have come when the first one has.
  for (const [index, name] of chosen.entries())
    await office.decide(name, index % 3 === 1 ? "deny" : "approve");
  await office.decideInShell(last, "approve");
}

function testOver(
  each: SpreadCase,
  { title, run }: { readonly title: string; readonly run: (office: Office) => Promise<void> },
): void {
  test(`${each.name}: ${title}`, { skip: each.skip }, async () => {
    await using meeting = await each.open();
    const port = await freePort();
    using folder = createTemporaryFolder({
      "topology.yaml": topology(meeting.transport, meeting.state, port),
      "agents.ts": agents,
      "package.json": '{"type":"module"}',
    });
    await run(new Office(port, folder.path));
  });
}

async function moveBetweenWorkers(office: Office): Promise<void> {
  await using supervisor = office.start();
  await supervisor.waitFor(/started; Ctrl\+C stops/);
  await using first = office.start("--process", "heavy");
  await office.untilPlaced(1);
  const one = await office.askAll();
  assert.equal(one.size, 1);
  await using second = office.start("--process", "heavy");
  await office.untilPlaced(2);

  // The one that all have asked at is killed.
  first.kill("SIGKILL");
  await first.exited();
  await office.untilPlaced(1);
  await decide(office);
  const two = await office.check();
  assert.deepEqual([two.size, two.isDisjointFrom(one)], [1, true]);

  // One that stops by a signal hands over what waits.
  await using third = office.start("--process", "heavy");
  await office.untilPlaced(2);
  assert.equal((await office.askAll()).size, 2);
  second.kill("SIGTERM");
  await office.untilPlaced(1);
  assert.equal((await second.exited()).code, 0);
  await decide(office);
  const three = await office.check();
  assert.deepEqual([three.size, three.isDisjointFrom(two)], [1, true]);

  // What nobody decides ends at its time, whether the worker that it was asked at is gone by then or goes afterwards.
  await office.askAll(2000);
  office.expire();
  third.kill("SIGKILL");
  await third.exited();
  await using fourth = office.start("--process", "heavy");
  await office.untilPlaced(1);
  const four = await office.check();
  assert.equal(four.isDisjointFrom(three), true);

  // Another supervisor finds what waits at the workers.
  assert.deepEqual(await office.askAll(), four);
  supervisor.kill("SIGKILL");
  await supervisor.exited();
  await using next = office.start();
  await next.waitFor(/started; Ctrl\+C stops/);
  await office.untilPlaced(1);
  await decide(office);
  assert.deepEqual(await office.check(), four);
  fourth.kill("SIGTERM");
  assert.equal((await fourth.exited()).code, 0);
  next.kill("SIGTERM");
  assert.equal((await next.exited()).code, 0);
}

async function waitForWorkers(office: Office): Promise<void> {
  const supervisor = office.start();
  await supervisor.waitFor(/started; Ctrl\+C stops/);
  await using first = office.start("--process", "heavy");
  await office.untilPlaced(1);
  await office.askAll();

  // Nobody is there: some are decided, others after the supervisor was killed, too, and the last ones by the next worker.
  first.kill("SIGKILL");
  await first.exited();
  await office.untilPending();
  await decide(office, 4);
  supervisor.kill("SIGKILL");
  await supervisor.exited();
  const next = office.start();
  await next.waitFor(/started; Ctrl\+C stops/);
  await office.untilPending();
  await decide(office, 4);
  await using second = office.start("--process", "heavy");
  await office.untilPlaced(1);
  await decide(office);
  await office.check();

  // The last worker stops; what nobody decides ends at its time, and no supervisor that is killed forgets it.
  const asked = await office.askAll(5000);
  assert.equal(asked.size, 1);
  const expired = [...office.open.values()];
  office.expire();
  second.kill("SIGTERM");
  assert.equal((await second.exited()).code, 0);
  await office.untilListed(expired, "expired");
  next.kill("SIGKILL");
  await next.exited();
  await using last = office.start();
  await last.waitFor(/started; Ctrl\+C stops/);
  await office.untilListed(expired, "expired");
  await using third = office.start("--process", "heavy");
  await office.untilPlaced(1);
  assert.equal((await office.check()).isDisjointFrom(asked), true);
  third.kill("SIGTERM");
  assert.equal((await third.exited()).code, 0);
  last.kill("SIGTERM");
  assert.equal((await last.exited()).code, 0);
}

// They wait for the ends of leases most of the time.
describe("approvals of agents on several workers", { concurrency: true }, () => {
  for (const each of [natsKvCase, zmqSqliteCase]) {
    testOver(each, {
      title:
        "a decision reaches its agent once, with its state from before, when workers and the supervisor are killed or stopped between the request and the decision",
      run: moveBetweenWorkers,
    });
    testOver(each, {
      title:
        "what is decided or expires while no worker is there reaches its agent once, after the supervisor was killed, too",
      run: waitForWorkers,
    });
  }
});
