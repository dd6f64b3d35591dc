import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { SqliteStateStore } from "agentrt/state";
import {
  agentrtLauncher,
  createTemporaryFolder,
  freePort,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import { readKeyedLog, type KeyedHistory } from "./keyed-log.ts";
import { makeRandom } from "./random.ts";
import { warnings } from "./warnings.ts";

const binary = agentrtLauncher();
const keyCount = 10_000;
const residentCountMax = 500;
const laneCount = 24;
/** Messages of one connection that are not answered yet; the gateway takes 32. */
const openCountMax = 32;
const secondsBetweenKills = 5;
/** Of a soak of a few rounds. */
const secondsBetweenKillsShort = 1;
const longRoundCount = 10;

const agents = `
import { openSync, writeSync } from "node:fs";
import { Agent, type Message } from "agentrt";

// What is written here is there after a kill: it is the system's, not this process's.
const file = openSync(process.env["KEYED_LOG"] ?? "", "a");

export class Ticket extends Agent {
  #tell(what: string, more = "") {
    writeSync(file, what + " " + this.key + " " + Number(this.state["count"] ?? 0) + more + "\\n");
  }
  override onStart() {
    this.#tell("S");
  }
  override async handle({ payload }: Message) {
    const { lane, sequence, ms, save } = payload as { [field: string]: number };
    this.#tell("B", " " + lane + " " + sequence);
    if (ms !== 0) await new Promise((resolve) => setTimeout(resolve, ms));
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    this.state["filler"] = String(this.state["count"]).repeat(20);
    this.#tell("T");
    if (save === 1) {
      await this.checkpoint();
      this.#tell("A");
    }
    this.#tell("E");
    return { key: this.key ?? "", sequence, count: Number(this.state["count"]) };
  }
  override onStop() {
    this.#tell("X");
  }
}
`;

/**
 * Kills a runtime with ten thousand keys on five hundred places, again and again, under random traffic, and looks each
 * time: every acknowledged checkpoint is there, a passivated key comes back with all it had, the messages of a connection
 * reach a key in their order, no key is handled twice at once, and no more keys have an object than there are places.
 *
 * @param rounds How many kills: one every five seconds; of less than ten, one a second.
 * @returns What was done.
 * @throws Error that says which key broke what in which round.
 */
export async function soakKeyedKill(rounds: number): Promise<string> {
  const port = await freePort();
  using folder = createTemporaryFolder({
    "agents.ts": agents,
    "topology.yaml": `plugins:
  state: { type: sqlite, config: { db_path: state.db } }
supervision:
  name: root
  children:
    - { type: keyed, name: ticket, class: agents.Ticket, key: id, idle: 2, max_resident: ${residentCountMax} }
    - name: gateway
      type: http_gateway
      config: { host: 127.0.0.1, port: ${port}, ws_routes: [{ path: /tickets, agent: ticket }] }
`,
  });
  const random = makeRandom(rounds);
  const seconds = rounds < longRoundCount ? secondsBetweenKillsShort : secondsBetweenKills;
  const told: KeyedHistory = {
    least: new Map(),
    most: new Map(),
    residentCountMax: 0,
    startCount: 0,
    ackCount: 0,
  };
  let replyCount = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const log = join(folder.path, `round-${round}.log`);
    replyCount += await runAndKill({ folder, port, log, random, seconds });
    readKeyedLog(readFileSync(log, "utf8"), { told, round, residentCountMax });
    rmSync(log);
    if (round % 10 === 0) process.stderr.write(`  kill ${round} of ${rounds}\n`);
  }
  await verifyStore(folder, told);
  return `keyed-kill: ${rounds} kills, ${replyCount} replies in order; ${told.ackCount} acknowledged checkpoints of ${told.most.size} keys, none lost; ${told.startCount} starts, ${told.residentCountMax} keys resident at most`;
}

interface Round {
  readonly folder: TemporaryFolder;
  readonly port: number;
  readonly log: string;
  readonly random: () => number;
  readonly seconds: number;
}

async function runAndKill({ folder, port, log, random, seconds }: Round): Promise<number> {
  await using program = startProgram(process.execPath, [binary, "run"], {
    workingDirectory: folder.path,
    environment: { KEYED_LOG: log },
    timeoutMs: 120_000,
  });
  await program.waitFor(/started/);
  const lanes = Array.from({ length: laneCount }, (_, lane) => new TrafficLane(lane, port, random));
  await Promise.race([
    sleep(seconds * 1000 * (0.6 + 0.8 * random())),
    Promise.all(lanes.map((lane) => lane.failed)),
  ]);
  for (const lane of lanes) lane.isKilled = true;
  program.kill("SIGKILL");
  await program.exited();
  for (const { fault } of lanes) assert.equal(fault, undefined, program.output.slice(-2000));
  // That the machine has no time for the program says nothing about keys.
  assert.doesNotMatch(program.output, warnings);
  return lanes.reduce((sum, lane) => sum + lane.replyCount, 0);
}

/** A connection with random messages: mostly to any key, some to a few that all lanes share, often two in a row to one. */
class TrafficLane {
  readonly #lane: number;
  readonly #random: () => number;
  readonly #socket: WebSocket;
  readonly #open: { readonly key: string; readonly sequence: number }[] = [];
  readonly failed: Promise<void>;
  readonly #fail: () => void;
  #sequence = 0;
  #key = "";
  isKilled = false;
  replyCount = 0;
  fault: string | undefined;

  constructor(lane: number, port: number, random: () => number) {
    this.#lane = lane;
    this.#random = random;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.failed = promise;
    this.#fail = resolve;
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/tickets`);
    this.#socket.addEventListener("open", () => this.#send());
    this.#socket.addEventListener("message", ({ data }) => this.#onReply(String(data)));
    this.#socket.addEventListener("close", () => this.#end("the connection was closed"));
  }

  #send(): void {
    while (this.#open.length < openCountMax) {
      if (this.#key === "" || this.#random() < 0.6) this.#key = this.#nextKey();
      const sequence = (this.#sequence += 1);
      const message = {
        id: this.#key,
        lane: this.#lane,
        sequence,
        ms: this.#random() < 0.3 ? Math.floor(this.#random() * 5) : 0,
        save: this.#random() < 0.5 ? 1 : 0,
      };
      this.#open.push({ key: this.#key, sequence });
      this.#socket.send(JSON.stringify(message));
    }
  }

  #nextKey(): string {
    const isShared = this.#random() < 0.1;
    return `k${Math.floor(this.#random() * (isShared ? 50 : keyCount))}`;
  }

  #onReply(text: string): void {
    const wanted = this.#open.shift();
    const { key, sequence } = JSON.parse(text) as { key?: unknown; sequence?: unknown };
    if (key !== wanted?.key || sequence !== wanted?.sequence) {
      this.#end(`${text} came for message ${wanted?.sequence} to ${wanted?.key}`);
      return;
    }
    this.replyCount += 1;
    this.#send();
  }

  #end(fault: string): void {
    if (this.isKilled) return;
    this.fault ??= fault;
    this.#fail();
  }
}

async function verifyStore(
  { path }: TemporaryFolder,
  { least, most }: KeyedHistory,
): Promise<void> {
  const store = new SqliteStateStore({ path: join(path, "state.db") });
  try {
    for (const [key, mostCount] of most) {
      const state = await store.get(`ticket/${key}`);
      const count = Number(state?.["count"] ?? 0);
      const where = `${key} has ${count} in the store`;
      const leastCount = least.get(key) ?? 0;
      assert.ok(count >= leastCount, `${where}, but ${leastCount} was acknowledged`);
      assert.ok(count <= mostCount, `${where}, but no more than ${mostCount} was tried`);
      if (count > 0) assert.equal(state?.["filler"], String(count).repeat(20), `${where}, torn`);
    }
  } finally {
    await store.close();
  }
}
