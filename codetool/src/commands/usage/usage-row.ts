/** What one call, or several of one command within a time, cost and saved. */
export interface UsageRow {
  /** When, whole seconds since 1970: of several the first moment of their time. */
  readonly tsSeconds: number;
  readonly command: string;
  readonly calls: number;
  /** Bytes of the answers. */
  readonly actualBytes: number;
  /** Bytes that the Unix way would have printed. */
  readonly baselineBytes: number;
  /** Tokens of the Unix way less those of the answers; below 0 where the answers were longer. */
  readonly tokensSaved: number;
  /** How long the calls took. */
  readonly wallMs: number;
}

/** What a line of the log holds at most; a longer name of a command is cut. */
const commandCharactersMax = 100;

/** Writes a call as a line of the log, with its line feed. */
export function lineOf(row: UsageRow, way: string): string {
  const line = {
    ts: row.tsSeconds,
    command: row.command.slice(0, commandCharactersMax),
    actual_bytes: row.actualBytes,
    baseline_bytes: row.baselineBytes,
    baseline_strategy: way,
    wall_ms: row.wallMs,
    tokens_saved: row.tokensSaved,
  };
  return `${JSON.stringify(line)}\n`;
}

/** Writes a row of the totals. */
export function totalOf(row: UsageRow): object {
  return {
    ts: row.tsSeconds,
    command: row.command,
    calls: row.calls,
    actual_bytes: row.actualBytes,
    baseline_bytes: row.baselineBytes,
    wall_ms: row.wallMs,
    tokens_saved: row.tokensSaved,
  };
}

/** Reads a line of the log or a row of the totals; `undefined` where it is damaged. */
export function readRow(value: unknown): UsageRow | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const row = value as { readonly [name: string]: unknown };
  const { command } = row;
  const numbers = [
    row["ts"],
    row["calls"] ?? 1,
    row["actual_bytes"],
    row["baseline_bytes"],
    row["tokens_saved"],
    row["wall_ms"] ?? 0,
  ];
  if (typeof command !== "string" || command === "" || !numbers.every(Number.isFinite))
    return undefined;
  const [
    tsSeconds = 0,
    calls = 1,
    actualBytes = 0,
    baselineBytes = 0,
    tokensSaved = 0,
    wallMs = 0,
  ] = numbers as number[];
  return {
    tsSeconds,
    command: command.slice(0, commandCharactersMax),
    calls,
    actualBytes,
    baselineBytes,
    tokensSaved,
    wallMs,
  };
}

/** Reads the whole lines of a log; damaged ones are skipped. */
export function readLines(text: string): UsageRow[] {
  const rows: UsageRow[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const row = readRow(parse(line));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Parses JSON; `undefined` for what is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller goes without it.
    return undefined;
  }
}
