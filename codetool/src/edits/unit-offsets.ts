/**
 * Makes a function from offsets in UTF-8 bytes to offsets in UTF-16 units of a text. A lone surrogate counts as three
 * bytes. Meant for a few offsets: in a text that is not ASCII each takes time in proportion to it.
 */
export function unitOffsetsIn(text: string): (byteOffset: number) => number {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length === text.length) return (byteOffset) => byteOffset;
  return (byteOffset) => bytes.toString("utf8", 0, byteOffset).length;
}
