/** A file of a topology, as the client has read it. */
export interface SentFile {
  readonly fileName: string;
  readonly text: string;
}

/** A node of a plan, and what its step does. */
export interface PlannedNodePicture {
  readonly name: string;
  readonly kind: string;
  readonly act: "change" | "keep" | "move" | "restart" | "start" | "stop";
  readonly parent: string | null;
  readonly movedFrom?: string;
  readonly because: readonly string[];
  readonly atHandCount: number;
  readonly waitingCount: number;
  readonly childNames: readonly string[];
  readonly childCount: number;
  readonly crashRestarts: readonly string[];
}

/** What would change if another topology were applied. */
export interface PlanPicture {
  readonly isChange: boolean;
  readonly nodes: readonly PlannedNodePicture[];
  readonly parts: readonly { readonly kind: string; readonly name: string; readonly act: string }[];
  readonly refusals: readonly string[];
  readonly awayGroups: readonly string[];
}

/** What became of the latest `apply`. */
export type ApplyPicture =
  | { readonly status: "none" }
  | { readonly status: "applying"; readonly sinceMs: number }
  | { readonly status: "applied"; readonly atMs: number; readonly lateNames: readonly string[] }
  | { readonly status: "failed"; readonly atMs: number; readonly error: unknown };

/** Puts another topology in place of the one that runs. */
export interface ApplyPort {
  /** {@inheritDoc Runtime.plan} */
  plan(source: { readonly files: readonly [SentFile, ...SentFile[]] }): PlanPicture;
  /** {@inheritDoc Runtime.apply} */
  apply(
    source: { readonly files: readonly [SentFile, ...SentFile[]] },
    options: { readonly initiatedBy: string },
  ): Promise<{ readonly plan: PlanPicture; readonly lateNames: readonly string[] }>;
  /** What became of the latest `apply`. */
  readonly applyState: ApplyPicture;
}

/** Takes secrets out of errors: they hold words of agents. */
export interface ErrorMask {
  readonly observer: { readonly redactor: { readonly text: (text: string) => string } };
}
