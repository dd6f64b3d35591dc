/** One line of the input, or a mark that it was longer than allowed. */
export type BatchLine = { readonly text: string } | { readonly isTooLong: true };

/**
 * Splits a stream of bytes into lines as they come. A line that is too long is dropped as it is read, so that memory
 * stays bounded, and reported once; a last line needs no line feed. A byte-order mark before the first is dropped.
 */
export async function* splitLines(
  input: AsyncIterable<Uint8Array | string>,
  lineSizeBytesMax: number,
): AsyncGenerator<BatchLine> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let isFirst = true;
  const take = (part: Buffer): void => {
    sizeBytes += part.length;
    if (sizeBytes <= lineSizeBytesMax) parts.push(part);
    else parts = [];
  };
  const finish = (): BatchLine => {
    let line: BatchLine =
      sizeBytes > lineSizeBytesMax
        ? { isTooLong: true }
        : { text: Buffer.concat(parts).toString("utf8") };
    if (isFirst && "text" in line && line.text.startsWith("\uFEFF"))
      line = { text: line.text.slice(1) };
    isFirst = false;
    parts = [];
    sizeBytes = 0;
    return line;
  };
  for await (const piece of input) {
    let rest = typeof piece === "string" ? Buffer.from(piece, "utf8") : Buffer.from(piece);
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      take(rest.subarray(0, end));
      yield finish();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) take(rest);
  }
  if (sizeBytes > 0) yield finish();
}
