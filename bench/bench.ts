/** One measured run of one contender: how much work was done, proved done, in how long. */
export interface Sample {
  /** Units of work whose completion was checked. */
  readonly operationCount: number;
  /** What the work took: seconds, or in a bench with `perUnit` that many of its unit. */
  readonly seconds: number;
  /** What else was measured, by a name that tells the unit; medians are printed. */
  readonly figures?: { readonly [name: string]: number };
  /** How long single operations took, by their kind; shown next to the rate where there are any. */
  readonly latenciesMs?: { readonly [kind: string]: readonly number[] };
}

/** What a contender gets. */
export interface RunOptions {
  /** True for a quick look: a fraction of the work. */
  readonly isQuick: boolean;
}

/** One side of a comparison. Every sample runs in a separate process, so no side warms another's heap or JIT. */
export interface Contender {
  /** Lower-case name in the output: `agentrt`, `erlang`, `rg` and so on. */
  readonly name: string;
  /** Prepares what outlives the samples, for example a compiled rival; returns why it cannot run, if so. */
  readonly prepare?: () => string | undefined | Promise<string | undefined>;
  /** Warms up, does the work, checks that it was done (throws if not) and tells how long the work took. */
  readonly run: (options: RunOptions) => Sample | Promise<Sample>;
}

/**
 * A bench is a file `bench/<name>.ts` with a question in its header, exporting `bench`. The first contender is ours;
 * the others are rivals, compared with it round by round.
 */
export interface Bench {
  readonly question: string;
  /** What one operation is, for example `"call"`. */
  readonly operation: string;
  /** What the work is divided by; default `"s"` for seconds. A bench of memory counts things per `"MB"`. */
  readonly perUnit?: string;
  /** Interleaved rounds; default 7, with `--quick` 3. */
  readonly roundCount?: number;
  readonly contenders: readonly [Contender, ...Contender[]];
  /**
   * Name of the contender that each other is also compared with, kind by kind of `latenciesMs`: how much longer it takes, by
   * the medians of each round.
   */
  readonly yardstick?: string;
}
