import { errors } from "../../envelope/index.ts";
import { wallClockMs } from "../../system/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { readUsage, resetUsage, usageFile, type UsageRow } from "../usage/index.ts";
import { drawStats } from "./draw-stats.ts";
import type { StatsInput } from "./input.ts";
import type {
  CommandStats,
  StatsPayload,
  StatsPeriod,
  StatsReport,
  VerboseCommandStats,
} from "./payload.ts";

/**
 * Runs `stats`.
 *
 * @throws permission_denied for a log that cannot be read or removed; invalid_argument for `--reset` where
 *   `CODETOOL_STATS_FILE` names something else.
 */
export async function runStats(
  input: StatsInput,
  context: CommandContext,
): Promise<CommandResult<StatsPayload>> {
  const { environment } = context;
  const path = usageFile(environment);
  if (input.reset === true) return await reset(path);
  const rows = path === undefined ? [] : await readOrRefuse(path);
  const data = reportOf(rows, Math.floor(wallClockMs() / 1000), input.verbose === true);
  const warnings = path === undefined ? [noHome] : [];
  const isColored = context.isColored?.() === true;
  return { data, warnings, plain: () => drawStats(data, { isColored }) };
}

const noHome =
  "Nothing is recorded: HOME is not set, and neither is CODETOOL_STATS_FILE, the file to record in";

async function readOrRefuse(path: string): Promise<readonly UsageRow[]> {
  try {
    return await readUsage(path);
  } catch (error) {
    throw refused(path, "read", error);
  }
}

async function reset(path: string | undefined): Promise<CommandResult<StatsPayload>> {
  const done: CommandResult<StatsPayload> = {
    data: { reset: true },
    plain: () => "All that was recorded is forgotten.",
  };
  if (path === undefined) return { ...done, warnings: [noHome] };
  let isOurs: boolean;
  try {
    isOurs = await resetUsage(path);
  } catch (error) {
    throw refused(path, "remove", error);
  }
  if (isOurs) return done;
  throw new errors.invalid_argument({
    argument: `CODETOOL_STATS_FILE=${path}`,
    reason: "it is not a record of calls, and is left as it is",
  });
}

function refused(path: string, action: "read" | "remove", error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const isRefused = code === "EACCES" || code === "EPERM" || code === "EROFS";
  return isRefused ? new errors.permission_denied({ path, action }) : error;
}

const periods = [
  { label: "last_hour", seconds: 3600 },
  { label: "last_24h", seconds: 24 * 3600 },
  { label: "all_time", seconds: Infinity },
] as const;

/** What the calls of some rows have in common. */
interface Sum {
  calls: number;
  tokens: number;
  saved: number;
  wallMs: number;
}

/** Sums rows up by time and by command. */
function reportOf(rows: readonly UsageRow[], nowSeconds: number, isVerbose: boolean): StatsReport {
  const all = sumUp(rows);
  const groups = [...Map.groupBy(rows, ({ command }) => command)]
    .map(([command, own]) => ({ command, sum: sumUp(own) }))
    .sort((a, b) => b.sum.calls - a.sum.calls || (a.command < b.command ? -1 : 1));
  return {
    periods: periods.map(({ label, seconds }): StatsPeriod => {
      const sum = sumUp(rows.filter(({ tsSeconds }) => nowSeconds - tsSeconds < seconds));
      const { calls, saved } = sum;
      return { label, calls, tokens_saved: saved, savings_percent: percentOf(sum) };
    }),
    total_calls: all.calls,
    total_tokens_saved: all.saved,
    by_command: Object.fromEntries(
      groups.map(({ command, sum }) => [command, describe(sum, isVerbose)]),
    ),
  };
}

function describe(sum: Sum, isVerbose: boolean): CommandStats | VerboseCommandStats {
  const { calls, tokens, saved, wallMs } = sum;
  const short = { calls, savings_pct: percentOf(sum) };
  if (!isVerbose) return short;
  return {
    ...short,
    tokens,
    baseline_tokens: tokens + saved,
    tokens_saved: saved,
    mean_ms: calls === 0 ? 0 : oneDigit(wallMs / calls),
  };
}

function sumUp(rows: readonly UsageRow[]): Sum {
  const sum: Sum = { calls: 0, tokens: 0, saved: 0, wallMs: 0 };
  for (const { calls, actualBytes, tokensSaved, wallMs } of rows) {
    sum.calls += calls;
    sum.tokens += Math.floor(actualBytes / 4);
    sum.saved += tokensSaved;
    sum.wallMs += wallMs;
  }
  return sum;
}

function percentOf({ tokens, saved }: Sum): number {
  const baseline = tokens + saved;
  return baseline <= 0 ? 0 : oneDigit((100 * saved) / baseline);
}

function oneDigit(value: number): number {
  return Math.round(value * 10) / 10;
}
