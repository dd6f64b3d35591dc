/** A line that uses a symbol. */
export interface UseLine {
  readonly line: number;
  /** Without the white space around it; a long one is cut. */
  readonly text: string;
}

/** A file that depends on the target. */
export interface Dependent {
  readonly file: string;
  readonly hops: number;
  readonly symbols_used: readonly string[];
  readonly confidence: string;
  /** With a symbol: the lines that have its name, the first of them. */
  readonly uses?: readonly UseLine[];
  /** Lines beyond those of `uses`; absent for none. */
  readonly more_uses?: number;
  /** Its path is that of a test; absent otherwise. */
  readonly is_test?: true;
  /** The file one hop nearer, beyond the first hop. */
  readonly via?: string;
}

/** The payload of `impact`. */
export type ImpactPayload = {
  readonly root: string;
  readonly target: string;
  /** Where one was asked about. */
  readonly symbol?: string;
  readonly exports: readonly string[];
  readonly dependents: readonly Dependent[];
  readonly stats: {
    readonly direct: number;
    readonly transitive: number;
    readonly test_files: number;
    /** With a budget, as `truncated`. */
    readonly budget_used?: number;
  };
  readonly truncated?: boolean;
};
