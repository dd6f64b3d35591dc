import type { QueryResult } from "./driver-types.ts";
import { codeOf } from "./postgres-driver.ts";

/** Runs one statement. */
export type RunSql = (sql: string, values?: readonly unknown[]) => Promise<QueryResult>;

/** The table of states. */
export const stateTable = "agentrt_agent_state";

const createTable =
  `CREATE TABLE IF NOT EXISTS ${stateTable}(agent_name TEXT PRIMARY KEY, state JSONB NOT NULL, ` +
  "updated_at TIMESTAMPTZ NOT NULL DEFAULT now())";
// What two processes that make the same table at the same moment may get.
const raceCodes = ["23505", "42P07", "42710"];

/** The numbers of fences. */
export const fenceTable = "agentrt_state_fence";
const createFenceTable = `CREATE TABLE IF NOT EXISTS ${fenceTable}(name TEXT PRIMARY KEY, token BIGINT NOT NULL)`;

/** @returns Whether the table is there. */
export async function isTableThere(run: RunSql, table = stateTable): Promise<boolean> {
  const { rows } = await run("SELECT to_regclass($1) IS NOT NULL AS found", [table]);
  return rows[0]?.["found"] === true;
}

/** Makes the table when it is not there: a user who may write it need not be allowed to make one. */
export async function makeTable(run: RunSql): Promise<void> {
  await make(run, stateTable, createTable);
}

/** Makes the table of fences when it is not there. */
export async function makeFenceTable(run: RunSql): Promise<void> {
  await make(run, fenceTable, createFenceTable);
}

async function make(run: RunSql, table: string, sql: string): Promise<void> {
  if (await isTableThere(run, table)) return;
  try {
    await run(sql);
  } catch (error) {
    if (!raceCodes.includes(codeOf(error))) throw error;
  }
}
