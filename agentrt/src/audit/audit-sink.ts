/** What a sink is found to end with. */
export type AuditTail =
  /** Nothing that can be read back is there. */
  | { readonly kind: "none" }
  | { readonly kind: "empty" }
  | {
      readonly kind: "line";
      /** The last line that is whole, without its end. */
      readonly text: string;
      /** Bytes behind it that are not a whole line, and are cut off. */
      readonly tornSizeBytes: number;
    };

/** Where lines go. */
export interface AuditSink {
  /** For messages: `jsonl`, `syslog` or `otlp`. */
  readonly name: string;
  /** Where it is, for messages. */
  readonly place: string;
  /** True when there is nothing to look at before the first record. */
  readonly isUntouched: boolean;
  /**
   * Opens it, again where it is open.
   *
   * @throws What keeps it from being opened.
   */
  open(): Promise<AuditTail>;
  /**
   * Writes lines, all of them or none.
   *
   * @throws What keeps them from being written.
   */
  write(lines: readonly string[]): Promise<void>;
  /** Has the next write open it again. */
  release(): Promise<void>;
}
