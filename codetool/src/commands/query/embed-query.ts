/** The vector of a query. */
export async function embedQuery(query: string): Promise<Float32Array> {
  const { embedShortText } = await import("../../model/index.ts");
  return await embedShortText(query);
}
