/** A reporter for logs: failures in full, skips with their reason, and one closing line of counts. */
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** How much of what a file said is kept, characters: the end of it. */
const keptLength = 4000;

/** What each test file wrote on standard error, and what the runner remarked about it. */
class Remarks {
  readonly #byFile = new Map<string, string>();

  add(file: string, text: string): void {
    this.#byFile.set(file, ((this.#byFile.get(file) ?? "") + text).slice(-keptLength));
  }

  of(file: string | undefined): string {
    return this.#byFile.get(file ?? "") ?? "";
  }
}

type Failure = Extract<TestEvent, { type: "test:fail" }>["data"];

/** A failed test; a file that ended before its tests did says so itself. */
function describe({ name, file, line, details: { error } }: Failure, remarks: Remarks): string {
  const place = `\nfailed: ${name} (${file}:${line})\n`;
  const exitCode = "exitCode" in error ? error.exitCode : undefined;
  const signal = "signal" in error ? error.signal : undefined;
  if (exitCode === undefined && signal === undefined) {
    const cause = error.cause ?? error;
    return `${place}${cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)}\n`;
  }
  const end = typeof signal === "string" ? `by ${signal}` : `with exit code ${Number(exitCode)}`;
  return `${place}the file ended ${end}; it said last:\n${remarks.of(file)}\n`;
}

/** The file of a remark: node names the entry of the process in events of every kind. */
function entryOf(data: object): string | undefined {
  return "entryFile" in data && typeof data.entryFile === "string" ? data.entryFile : undefined;
}

/** Reads node's test events and yields text. */
export default async function* summarize(source: AsyncIterable<TestEvent>): AsyncIterable<string> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const remarks = new Remarks();
  for await (const { type, data } of source) {
    if (type === "test:stderr" || type === "test:diagnostic") {
      const file = entryOf(data);
      const end = type === "test:diagnostic" ? "\n" : "";
      if (file !== undefined) remarks.add(file, `${data.message}${end}`);
    }
    if (type === "test:pass" && data.details.type !== "suite") {
      if (data.skip === undefined) counts.passed += 1;
      else {
        counts.skipped += 1;
        yield `\nskipped: ${data.name}${typeof data.skip === "string" ? `: ${data.skip}` : ""}\n`;
      }
    }
    if (type === "test:fail" && data.details.type !== "suite") {
      counts.failed += 1;
      yield describe(data, remarks);
    }
  }
  yield `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
}
