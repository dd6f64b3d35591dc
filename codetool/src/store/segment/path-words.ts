/** What a path adds to each chunk: the file's stem twice, and its last three folders. */
export function pathWordsOf(relativePath: string): Uint8Array[] {
  const parts = relativePath.split("/");
  const stem = (parts.pop() ?? "").replace(/\.[^.]*$/, "");
  return [stem, stem, ...parts.slice(-3)].map((part) => Buffer.from(part, "utf8"));
}
