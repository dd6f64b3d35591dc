// A reporter for logs: failures in full, skips with their reason, and one closing line of counts.
/** Reads node's test events and yields text. */
export default async function* summarize(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const event of source) {
    const { type, data } = event;
    if (data?.details?.type === "suite") continue;
    if (type === "test:pass") {
      if (data.skip === undefined) counts.passed += 1;
      else {
        counts.skipped += 1;
        yield `\nskipped: ${data.name}${typeof data.skip === "string" ? `: ${data.skip}` : ""}\n`;
      }
    }
    if (type === "test:fail") {
      counts.failed += 1;
      const cause = data.details.error?.cause ?? data.details.error;
      yield `\nfailed: ${data.name} (${data.file}:${data.line})\n${cause?.stack ?? cause}\n`;
    }
  }
  yield `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
}
