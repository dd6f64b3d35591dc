import type { Finding } from "../../reports/index.ts";

/** The payload of `run`. */
export type RunProgramPayload = {
  readonly exit_code: number;
  readonly signal?: string;
  readonly timed_out?: true;
  readonly duration_ms: number;
  /** The tool whose output was read; `raw` and `unknown` for none. */
  readonly tool: string;
  readonly summary: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly output_lines: number;
  readonly output_tokens_saved: number;
  readonly tail?: string;
  /** Only where a parser failed: all that was captured. */
  readonly raw?: string;
  readonly source?: "captured output";
  readonly truncated?: true;
};

/** What of it no budget leaves out. */
export type RunHead = Omit<
  RunProgramPayload,
  | "failures"
  | "warnings"
  | "output_lines"
  | "output_tokens_saved"
  | "tail"
  | "raw"
  | "source"
  | "truncated"
>;
