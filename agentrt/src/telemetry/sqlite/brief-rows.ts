import type { DatabaseSync } from "node:sqlite";
import type { BriefSpan } from "../trace-list.ts";

const columns = "trace_id, parent_span_id, name, kind, agent_name, status, start_time, end_time";
const before = `SELECT ${columns} FROM spans WHERE start_time < ? ORDER BY start_time DESC LIMIT ?`;
const behind =
  "SELECT start_time FROM spans WHERE start_time > ? ORDER BY start_time LIMIT 1 OFFSET ?";

/**
 * Reads spans from the newest to the oldest, in pieces. Spans that begin together are in one piece.
 *
 * @param database A file of spans.
 * @param beginSeconds Only spans that began before: seconds since the Unix epoch.
 * @param pieceLength Spans of a piece, about.
 */
export function* briefRows(
  database: DatabaseSync,
  beginSeconds: number,
  pieceLength: number,
): Generator<BriefSpan[]> {
  const statement = database.prepare(before);
  for (let from = beginSeconds; ;) {
    const rows = statement.all(from, pieceLength);
    if (rows.length < pieceLength) {
      if (rows.length > 0) yield rows.map(briefOf);
      return;
    }
    const last = Number(rows.at(-1)?.["start_time"]);
    const whole = rows.filter((row) => Number(row["start_time"]) > last);
    // Of more than a piece that began together the others are left out.
    const taken = whole.length === 0 ? rows : whole;
    yield taken.map(briefOf);
    from = Number(taken.at(-1)?.["start_time"]);
  }
}

/** Spans of a file that began later than a moment. */
export interface LaterSpans {
  /** When the last of those that are wanted began, seconds since the Unix epoch; undefined where there are fewer. */
  readonly startSeconds: number | undefined;
  /** How many there are, of those that are wanted. */
  readonly count: number;
}

const countBehind =
  "SELECT COUNT(*) AS count FROM (SELECT 1 FROM spans WHERE start_time > ? LIMIT ?)";

/**
 * Finds where to begin to read, so that so many spans come that began later than a moment.
 *
 * @param database A file of spans.
 * @param seconds The moment: seconds since the Unix epoch.
 * @param count How many.
 */
export function startBehind(database: DatabaseSync, seconds: number, count: number): LaterSpans {
  const found = database.prepare(behind).get(seconds, count - 1)?.["start_time"];
  if (typeof found === "number") return { startSeconds: found, count };
  const fewer = database.prepare(countBehind).get(seconds, count)?.["count"];
  return { startSeconds: undefined, count: Number(fewer) };
}

function briefOf(row: { readonly [column: string]: unknown }): BriefSpan {
  const text = (column: string): string => (typeof row[column] === "string" ? row[column] : "");
  return {
    traceId: text("trace_id"),
    parentSpanId: text("parent_span_id") || null,
    name: text("name"),
    kind: text("kind") as BriefSpan["kind"],
    agent: text("agent_name") || null,
    status: row["status"] === "error" ? "error" : "ok",
    startMs: Number(row["start_time"]) * 1000,
    endMs: Number(row["end_time"]) * 1000,
  };
}
