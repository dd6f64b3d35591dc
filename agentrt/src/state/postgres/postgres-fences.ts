import type { Fence, FencedStates, JsonObject } from "../../core/index.ts";
import { stateErrors } from "../errors.ts";
import { parseState, stateTextOf } from "../state-text.ts";
import { fromJsonbText, toJsonbText } from "./jsonb-text.ts";
import { fenceTable, type RunSql, stateTable } from "./state-table.ts";

// Sorted, so that two that raise the same fences at one time wait for each other in one order.
const raise =
  `INSERT INTO ${fenceTable}(name, token) SELECT name, 1 FROM unnest($1::text[]) AS given(name) ORDER BY name ` +
  `ON CONFLICT(name) DO UPDATE SET token = ${fenceTable}.token + 1 RETURNING name, token::float8 AS token`;
// The row of the fence is held until the write is committed: who raises it waits for that, and sees what was written.
const held = `held AS (SELECT 1 FROM ${fenceTable} WHERE name = $2 AND token = $3 FOR SHARE)`;
const count = "SELECT count(*)::int AS held FROM held";
const upsert =
  `WITH ${held}, kept AS (INSERT INTO ${stateTable}(agent_name, state, updated_at) SELECT $1, $4::jsonb, now() FROM held ` +
  `ON CONFLICT(agent_name) DO UPDATE SET state = excluded.state, updated_at = now()) ${count}`;
const remove = `WITH ${held}, gone AS (DELETE FROM ${stateTable} WHERE agent_name = $1 AND EXISTS (SELECT 1 FROM held)) ${count}`;
const select =
  `SELECT (SELECT state::text FROM ${stateTable} WHERE agent_name = $1) AS state, ` +
  `(SELECT count(*)::int FROM ${fenceTable} WHERE name = $2 AND token = $3) AS held`;

/** States under fences in a PostgreSQL database: each write is one statement that looks at its fence. */
export class PostgresFences implements FencedStates {
  readonly #label: string;
  readonly #run: RunSql;

  /**
   * @param label The database in messages.
   * @param run Runs a statement, perhaps twice. What it throws is an error of the store.
   */
  constructor(label: string, run: RunSql) {
    this.#label = label;
    this.#run = run;
  }

  async raise(names: readonly string[]): Promise<Fence[]> {
    const { rows } = await this.#run(raise, [[...names]]);
    const tokens = new Map(rows.map((row) => [String(row["name"]), Number(row["token"])]));
    return names.map((name) => ({ name, token: tokens.get(name) ?? 0 }));
  }

  async get(agent: string, fence: Fence): Promise<JsonObject | undefined> {
    const state = (await this.#ask(select, [agent, fence.name, fence.token]))?.["state"];
    if (typeof state !== "string") return undefined;
    return parseState(fromJsonbText(state), { agent, path: this.#label });
  }

  async set(agent: string, state: JsonObject, fence: Fence): Promise<void> {
    const text = toJsonbText(stateTextOf(agent, state));
    await this.#ask(upsert, [agent, fence.name, fence.token, text]);
  }

  async delete(agent: string, fence: Fence): Promise<void> {
    await this.#ask(remove, [agent, fence.name, fence.token]);
  }

  /** @throws AGENTRT_STATE_FENCED. */
  async #ask(
    sql: string,
    values: readonly [agent: string, ...unknown[]],
  ): Promise<{ readonly [column: string]: unknown } | undefined> {
    const { rows } = await this.#run(sql, values);
    if (rows[0]?.["held"] !== 1)
      throw new stateErrors.FENCED({ path: this.#label, agent: values[0] });
    return rows[0];
  }
}
