/** The vector of a query. */
export async function embedQuery(query: string): Promise<Float32Array> {
  const { loadTokenRows, TextEmbedder } = await import("../../model/index.ts");
  return new TextEmbedder(await loadTokenRows(query)).embedText(query);
}
