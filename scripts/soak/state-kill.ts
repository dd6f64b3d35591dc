import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { PostgresStateStore, SqliteStateStore } from "agentrt/state";
import { createTemporaryFolder, startPostgres, startProgram } from "testkit";

const tree = fileURLToPath(new URL("./checkpointing-tree.ts", import.meta.url));

/** What a soak of checkpoints takes. */
export interface StateKillOptions {
  readonly rounds: number;
  readonly store: "sqlite" | "postgres";
}

interface Told {
  /** Highest count whose checkpoint was acknowledged, by agent. */
  readonly acknowledged: Map<string, number>;
  /** Highest count that was tried. */
  readonly tried: Map<string, number>;
}

/**
 * Kills a process with fifty agents in the middle of their checkpoints, again and again, and looks each time: the store
 * opens, every acknowledged checkpoint is there, and none is there that was never tried.
 *
 * @param options How often, and into which store.
 * @returns What was done.
 * @throws Error that says which agent lost which checkpoint in which round.
 */
export async function soakStateKill({ rounds, store }: StateKillOptions): Promise<string> {
  using folder = createTemporaryFolder();
  await using postgres = store === "postgres" ? await startPostgres() : undefined;
  const path = join(folder.path, "state.db");
  const address = postgres === undefined ? `sqlite:${path}` : postgres.url;
  const told: Told = { acknowledged: new Map(), tried: new Map() };
  let ackCount = 0;
  let crashCount = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const durability = round % 2 === 0 ? "strict" : "normal";
    const log = join(folder.path, `round-${round}.log`);
    const args = ["--conditions=agentrt-source", tree, address, durability, log];
    await using program = startProgram(process.execPath, args, { timeoutMs: 120_000 });
    await program.waitFor(/^started$/m);
    await rest(20 + Math.random() * 200);
    if (postgres !== undefined && round % 2 === 0) {
      await postgres.crash();
      await rest(Math.random() * 50);
      await postgres.start();
      await rest(50 + Math.random() * 150);
      crashCount += 1;
    }
    program.kill("SIGKILL");
    await program.exited();
    ackCount += note(readFileSync(log, "utf8"), { told, round });
    rmSync(log);
    await verify(told, { path, url: postgres?.url, round });
    if (round % 20 === 0) process.stderr.write(`  round ${round} of ${rounds}\n`);
  }
  const crashes = postgres === undefined ? "" : `, ${crashCount} crashes of the server`;
  return `${store}: ${rounds} kills${crashes}, ${ackCount} acknowledged checkpoints of 50 agents, none lost`;
}

function rest(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

/** Takes in what the tree told before it was killed; its last line may be cut. */
function note(output: string, { told, round }: { told: Told; round: number }): number {
  let ackCount = 0;
  const lines = output.split("\n");
  lines.pop();
  for (const line of lines) {
    const [kind, agent = "", text] = line.split(" ");
    const count = Number(text);
    if (kind === "S") {
      const least = told.acknowledged.get(agent) ?? 0;
      assert.ok(count >= least, `round ${round}: ${agent} began with ${count}, ${least} was saved`);
      told.tried.set(agent, Math.max(count, told.tried.get(agent) ?? 0));
    }
    if (kind === "T") told.tried.set(agent, count);
    if (kind === "A") {
      told.acknowledged.set(agent, count);
      ackCount += 1;
    }
  }
  return ackCount;
}

async function verify(
  { acknowledged, tried }: Told,
  { path, url, round }: { path: string; url: string | undefined; round: number },
): Promise<void> {
  const store =
    url === undefined ? new SqliteStateStore({ path }) : new PostgresStateStore({ url });
  try {
    for (const [agent, most] of tried) {
      const state = await store.get(agent);
      const count = Number(state?.["count"] ?? 0);
      const least = acknowledged.get(agent) ?? 0;
      const where = `round ${round}: ${agent} has ${count} in the store`;
      assert.ok(count >= least, `${where}, but ${least} was acknowledged`);
      assert.ok(count <= most, `${where}, but no more than ${most} was tried`);
      if (count > 0) assert.equal(state?.["filler"], String(count).repeat(50), `${where}, torn`);
    }
  } finally {
    await store.close();
  }
}
