/** One question, answered by both. */
export interface BenchTask {
  readonly name: string;
  /** What is asked for, as it is in the tree. */
  readonly query: string;
  readonly codetool_command: string;
  /** Several where the Unix way takes several. */
  readonly baseline_command: string;
  readonly codetool_tokens: number;
  readonly baseline_tokens: number;
  /** Below 0 where the answer is longer than what the Unix way prints; one digit behind the point. */
  readonly savings_pct: number;
  readonly codetool_ms: number;
  readonly baseline_ms: number;
}

/** The payload of `bench`. */
export type BenchPayload = {
  readonly root: string;
  readonly path: string;
  readonly files: number;
  readonly has_index: boolean;
  readonly tasks: readonly BenchTask[];
  readonly summary: {
    readonly total_tasks: number;
    readonly total_codetool_tokens: number;
    readonly total_baseline_tokens: number;
    /** Of all tokens together. */
    readonly savings_pct: number;
    /** The mean of the tasks. */
    readonly avg_savings_pct: number;
    readonly codetool_total_ms: number;
    readonly baseline_total_ms: number;
  };
  /** What was not measured, and why. */
  readonly left_out: readonly { readonly name: string; readonly reason: string }[];
};
