/** How many strict-durable checkpoints a second do fifty agents make, compared with one commit for each? */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, child, type Message, Runtime, supervisor } from "agentrt";
import { SqliteStateStore } from "agentrt/state";
import type { Bench, Contender, Sample } from "./bench.ts";

const agentCount = 50;
const roundCount = 100;

class Saver extends Agent {
  override async handle(message: Message) {
    this.state = { round: message.payload["round"] ?? 0, note: "x".repeat(200) };
    await this.checkpoint();
    return {};
  }
}

/** A separate folder on the disk of the repository: the system's temporary folder may be in memory. */
async function inFolder(work: (path: string) => Promise<Sample>): Promise<Sample> {
  const folder = mkdtempSync(join(process.env["BENCH_FOLDER"] ?? tmpdir(), "bench-checkpoint-"));
  try {
    return await work(join(folder, "state.db"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(rounds: number, round: (index: number) => Promise<void>): Promise<Sample> {
  for (let index = 0; index < Math.ceil(rounds / 5); index += 1) await round(index);
  const startedMs = performance.now();
  for (let index = 0; index < rounds; index += 1) await round(index);
  const seconds = (performance.now() - startedMs) / 1000;
  return { operationCount: rounds * agentCount, seconds };
}

const names = Array.from({ length: agentCount }, (_, index) => `agent-${index}`);

const agentrt: Contender = {
  name: "agentrt",
  run: ({ isQuick }) =>
    inFolder(async (path) => {
      await using runtime = new Runtime({
        state: new SqliteStateStore({ path, durability: "strict" }),
        supervision: supervisor("root", { children: names.map((name) => child(Saver, name)) }),
      });
      await runtime.start();
      return await timed(isQuick ? roundCount / 5 : roundCount, async (round) => {
        await Promise.all(names.map((name) => runtime.call(name, { round })));
      });
    }),
};

const oneByOne: Contender = {
  name: "one-by-one",
  run: ({ isQuick }) =>
    inFolder(async (path) => {
      const database = new DatabaseSync(path);
      database.exec("PRAGMA journal_mode = WAL");
      database.exec("PRAGMA synchronous = FULL");
      database.exec("CREATE TABLE agent_state(agent_name TEXT PRIMARY KEY, state TEXT NOT NULL)");
      const upsert = database.prepare(
        "INSERT INTO agent_state VALUES(?, ?) ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state",
      );
      const note = "x".repeat(200);
      const sample = await timed(isQuick ? roundCount / 5 : roundCount, async (round) => {
        for (const name of names) upsert.run(name, JSON.stringify({ round, note }));
      });
      database.close();
      return sample;
    }),
};

/** See the header. */
export const bench: Bench = {
  question: "How many strict-durable checkpoints a second do fifty agents make?",
  operation: "checkpoint",
  contenders: [agentrt, oneByOne],
};
