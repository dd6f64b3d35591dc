// A reporter for logs: failures in full, skips with their reason, and one closing line of counts.

/** How much of what a file said is kept, characters: the end of it. */
const keptLength = 4000;

/** What each test file wrote on standard error, and what the runner remarked about it. */
class Remarks {
  #byFile = new Map();

  add(file, text) {
    this.#byFile.set(file, ((this.#byFile.get(file) ?? "") + text).slice(-keptLength));
  }

  of(file) {
    return this.#byFile.get(file) ?? "";
  }
}

/** A failed test; a file that ended before its tests did says so itself. */
function describe({ name, file, line, details: { error } }, remarks) {
  const place = `\nfailed: ${name} (${file}:${line})\n`;
  if (error?.exitCode === undefined && error?.signal === undefined) {
    const cause = error?.cause ?? error;
    return `${place}${cause?.stack ?? cause}\n`;
  }
  const end = error.signal ? `by ${error.signal}` : `with exit code ${error.exitCode}`;
  return `${place}the file ended ${end}; it said last:\n${remarks.of(file)}\n`;
}

/** Reads node's test events and yields text. */
export default async function* summarize(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const remarks = new Remarks();
  for await (const { type, data } of source) {
    if (data?.details?.type === "suite") continue;
    if (type === "test:stderr") remarks.add(data.entryFile, data.message);
    if (type === "test:diagnostic" && data.entryFile) {
      remarks.add(data.entryFile, `${data.message}\n`);
    }
    if (type === "test:pass") {
      if (data.skip === undefined) counts.passed += 1;
      else {
        counts.skipped += 1;
        yield `\nskipped: ${data.name}${typeof data.skip === "string" ? `: ${data.skip}` : ""}\n`;
      }
    }
    if (type === "test:fail") {
      counts.failed += 1;
      yield describe(data, remarks);
    }
  }
  yield `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
}
