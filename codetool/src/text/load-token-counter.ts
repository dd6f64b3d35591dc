/** Loads the exact counter: only answers with a budget pay for its vocabulary. */
export async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import("./token-counter.ts");
  return countTokens;
}
