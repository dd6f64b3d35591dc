/** The calls of a time. */
export interface StatsPeriod {
  readonly label: "last_hour" | "last_24h" | "all_time";
  readonly calls: number;
  /** Below 0 where the answers were longer than what the Unix way prints. */
  readonly tokens_saved: number;
  /** Of the tokens of the Unix way; one digit behind the point. */
  readonly savings_percent: number;
}

/** The calls of a command. */
export interface CommandStats {
  readonly calls: number;
  /** Of the tokens of the Unix way; one digit behind the point. */
  readonly savings_pct: number;
}

/** The calls of a command, with `--verbose`. */
export interface VerboseCommandStats extends CommandStats {
  readonly tokens: number;
  readonly baseline_tokens: number;
  readonly tokens_saved: number;
  /** The mean of the calls, milliseconds. */
  readonly mean_ms: number;
}

/** What was recorded. */
export type StatsReport = {
  readonly periods: readonly StatsPeriod[];
  readonly total_calls: number;
  readonly total_tokens_saved: number;
  /** The most often called first. */
  readonly by_command: { readonly [command: string]: CommandStats | VerboseCommandStats };
};

/** The payload of `stats`. */
export type StatsPayload = StatsReport | { readonly reset: true };
