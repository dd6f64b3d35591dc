import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SqliteStateStore } from "agentrt/state";
import { createTemporaryFolder, startProgram } from "testkit";
import { type CountingModel, startCountingModel } from "./counting-model.ts";
import { makeRandom } from "./random.ts";

const tree = fileURLToPath(new URL("./spending-tree.ts", import.meta.url));
const agentCount = 1000;
/** What one call takes: "How much?" and an answer. */
const callTokens = 53;
/** Calls that a budget allows; of a soak of a few rounds, and of a long one. */
const limitCallsShort = 1500;
const limitCalls = 20_000;
/** How long a process runs at most before it is killed; of a soak of a few rounds, and of a long one. */
const lifeMsMaxShort = 1500;
const lifeMsMax = 6000;
const longRoundCount = 10;
/** Requests of one burst before a kill. */
const burstCountMax = 200;
const ledgerKey = "_agency.budget/desk";

interface Told {
  soldCount: number;
  usedUpCount: number;
  unsettledCount: number;
  /** Most tokens over the limit. */
  overTokens: number;
}

/**
 * Kills a runtime with a thousand agents under one budget, again and again, while they ask a model that counts what it
 * sells. Each time: the model has sold no more than the budget and one call; the ledger has all that was sold, and more only
 * for calls that the process had open when it ended. A budget that is used up is reset, and it goes on.
 *
 * @param rounds How many kills.
 * @returns What was done.
 * @throws Error that says which round disagreed by how much.
 */
export async function soakBudgets(rounds: number): Promise<string> {
  using folder = createTemporaryFolder();
  const path = join(folder.path, "state.db");
  const random = makeRandom(rounds);
  await using model = await startCountingModel(random);
  const told: Told = { soldCount: 0, usedUpCount: 0, unsettledCount: 0, overTokens: 0 };
  let killCount = 0;
  const isShort = rounds < longRoundCount;
  const longestMs = isShort ? lifeMsMaxShort : lifeMsMax;
  const limitTokens = (isShort ? limitCallsShort : limitCalls) * callTokens;
  for (let round = 1; round <= rounds + 1; round += 1) {
    // The last one runs to the end of its budget.
    const isLast = round > rounds;
    // In turn: in the first burst, before anything was answered; and some time later.
    const isEarly = !isLast && round % 2 === 1;
    const life = isEarly
      ? model.sold(1 + Math.floor(burstCountMax * random()))
      : isLast
        ? undefined
        : longestMs * random();
    const isUsedUp = await run({ path, model, life, limitTokens });
    await model.idle();
    killCount += 1;
    await verify({ path, model, limitTokens, told, killCount, where: `round ${round}` });
    if (!isUsedUp) continue;
    told.usedUpCount += 1;
    told.soldCount += model.soldCount;
    await reset(path, told);
    model.begin();
    killCount = 0;
    process.stderr.write(`  round ${round} of ${rounds}: a budget is used up\n`);
  }
  const { usedUpCount, soldCount, overTokens, unsettledCount } = told;
  return `budgets: ${rounds} kills, ${usedUpCount} budgets used up by ${soldCount} calls of ${agentCount} agents, ${model.openCountMax} at once, ${overTokens} tokens over at most; the ledgers agree, ${unsettledCount} calls were cut off`;
}

interface Run {
  readonly path: string;
  readonly model: CountingModel;
  /** What it is killed after: milliseconds from its start, or what settles; undefined for the end of its budget. */
  readonly life: number | Promise<void> | undefined;
  readonly limitTokens: number;
}

/** @returns Whether the budget was used up before the kill. */
async function run({ path, model, life, limitTokens }: Run): Promise<boolean> {
  const args = ["--conditions=agentrt-source", tree, path, model.url, String(limitTokens)];
  await using program = startProgram(process.execPath, args, { timeoutMs: 120_000 });
  await program.waitFor(/^started$/m);
  const usedUp = program.waitFor(/^used up$/m).then(
    () => true,
    () => false,
  );
  const lived = typeof life === "number" ? sleep(life) : life;
  const isUsedUp = await Promise.race([usedUp, ...(lived === undefined ? [] : [lived])]);
  assert.ok(isUsedUp !== false, `it ended by itself: ${program.output.slice(-2000)}`);
  program.kill("SIGKILL");
  await program.exited();
  return isUsedUp === true;
}

interface Verification {
  readonly path: string;
  readonly model: CountingModel;
  readonly limitTokens: number;
  readonly told: Told;
  /** Since the budget was reset. */
  readonly killCount: number;
  readonly where: string;
}

async function verify(given: Verification): Promise<void> {
  const { path, model, limitTokens, told, killCount, where } = given;
  const { soldTokens } = model;
  const ledger = await withStore(path, (store) => store.get(ledgerKey));
  const count = (name: string): number => Number(ledger?.[name] ?? 0);
  const over = soldTokens - limitTokens;
  assert.ok(over <= callTokens, `${where}: ${over} tokens over the budget are sold`);
  told.overTokens = Math.max(told.overTokens, over);
  const kept = count("spent_tokens") + count("reserved_tokens");
  const disagreement = `${where}: the ledger has ${kept} tokens, the model sold ${soldTokens}`;
  assert.ok(kept >= soldTokens, disagreement);
  const settled = count("spent_tokens") - count("unsettled_tokens");
  assert.ok(
    settled <= soldTokens,
    `${where}: ${settled} are settled of ${soldTokens} that were sold`,
  );
  assert.ok(kept - soldTokens <= killCount * agentCount * callTokens, disagreement);
}

async function reset(path: string, told: Told): Promise<void> {
  await withStore(path, async (store) => {
    const ledger = await store.get(ledgerKey);
    told.unsettledCount += Number(ledger?.["unsettled_calls"] ?? 0);
    await store.delete(ledgerKey);
  });
}

async function withStore<Result>(
  path: string,
  use: (store: SqliteStateStore) => Promise<Result>,
): Promise<Result> {
  const store = new SqliteStateStore({ path });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
