import { hostname } from "node:os";
import process from "node:process";
import { stateErrors } from "../errors.ts";
import { codeOf } from "./postgres-driver.ts";
import { type RunSql, stateTable } from "./state-table.ts";

/** A row of `findHolder`. */
interface Holder {
  readonly name: string;
  readonly address: string | null;
  readonly pid: number;
}

/** The server did not get the lock in time. */
const notGivenCode = "55P03";
// A holder that was killed is known to the server a moment later.
const waitMs = 1000;
// A holder whose machine is gone is given up after 30 s; by itself the server would take hours.
const keepAlive = [
  "SET tcp_keepalives_idle = 10",
  "SET tcp_keepalives_interval = 5",
  "SET tcp_keepalives_count = 4",
];
const findKey =
  "SELECT 'agentrt:' || n.nspname || '.' || c.relname AS key FROM pg_class c " +
  "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1)";
const findHolder =
  "SELECT a.application_name AS name, a.client_addr::text AS address, a.pid AS pid FROM pg_locks l " +
  "JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 " +
  "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) " +
  "AND ((l.classid::bigint << 32) | l.objid::bigint) = hashtextextended($1, 0)";

/**
 * Takes the right to write the table of states, for as long as the connection lives. It is an advisory lock of the session,
 * so the server gives it back when the process dies, however it dies.
 *
 * @param run Runs statements on the connection.
 * @param options.label The database in messages.
 * @param options.timeoutMs Longest wait for any answer.
 * @throws AGENTRT_STATE_LOCKED naming the holder, after a second; what the driver throws.
 */
export async function takeWriterLock(
  run: RunSql,
  { label, timeoutMs }: { readonly label: string; readonly timeoutMs: number },
): Promise<void> {
  const name = `agentrt process ${process.pid} on ${hostname()}`;
  await run("SELECT set_config('application_name', $1, false)", [name.slice(0, 63)]);
  for (const sql of keepAlive) await run(sql);
  const { rows } = await run(findKey, [stateTable]);
  const key = String(rows[0]?.["key"]);
  await run(`SET lock_timeout = ${Math.max(1, Math.min(waitMs, Math.floor(timeoutMs / 2)))}`);
  try {
    await run("SELECT pg_advisory_lock(hashtextextended($1, 0))", [key]);
  } catch (error) {
    if (codeOf(error) !== notGivenCode) throw error;
    throw new stateErrors.LOCKED(
      { path: label, holder: await holderOf(run, key) },
      { cause: error },
    );
  }
  await run("RESET lock_timeout");
}

async function holderOf(run: RunSql, key: string): Promise<string> {
  const { rows } = await run(findHolder, [key]);
  const { name, address, pid } = (rows[0] ?? {}) as Partial<Holder>;
  if (name === undefined) return "another process";
  const place = typeof address === "string" ? ` from ${address}` : "";
  return `"${name}" (server process ${pid}${place})`;
}
