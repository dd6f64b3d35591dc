import type { Finding, FoldedFinding } from "../../reports/index.ts";

/** The payload of `run`. */
export type RunProgramPayload = {
  readonly exit_code: number;
  readonly signal?: string;
  readonly timed_out?: true;
  readonly duration_ms: number;
  /** The tool whose output was parsed; `raw` or `unknown` if none was. */
  readonly tool: string;
  readonly summary: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly FoldedFinding[];
  readonly warnings: readonly Finding[];
  readonly output_lines: number;
  readonly output_tokens_saved: number;
  readonly tail?: string;
  /** Only when a parser failed: the whole captured output. */
  readonly raw?: string;
  readonly source?: "captured output";
  readonly truncated?: true;
};

/** The fields that no budget leaves out. */
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
