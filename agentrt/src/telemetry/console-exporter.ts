import { printable, type Redactor } from "../core/index.ts";
import type { SpanExporter } from "./span-exporter.ts";
import type { SpanRecord } from "./span-record.ts";

/** Writes one line a span: name, duration, trace, attributes, and what failed. */
export class ConsoleExporter implements SpanExporter {
  readonly #write: (line: string) => void;
  readonly #redactor: Redactor;

  /**
   * @param write Receives each line, newline included.
   * @param redactor Takes secrets out of them.
   */
  constructor(write: (line: string) => void, redactor: Redactor) {
    this.#write = write;
    this.#redactor = redactor;
  }

  /** {@inheritDoc SpanExporter.export} */
  export(records: readonly SpanRecord[]): void {
    for (const record of records) this.#write(`${this.#lineOf(record)}\n`);
  }

  #lineOf({ name, startMs, endMs, traceId, attributes, status, errorMessage }: SpanRecord): string {
    const pairs = Object.entries(attributes).map(
      ([key, value]) => `${key}=${this.#redactor.json(key, value) ?? ""}`,
    );
    const failure = status === "ok" ? [] : [`error=${JSON.stringify(errorMessage ?? "")}`];
    const parts = [
      name,
      `${(endMs - startMs).toFixed(2)}ms`,
      ...pairs,
      ...failure,
      `trace=${traceId}`,
    ];
    return printable(this.#redactor.text(`span ${parts.join(" ")}`), 2000);
  }
}
