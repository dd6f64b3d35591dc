import type { CountTokens } from "../envelope/index.ts";

/** Loads the exact counter: only answers with a budget pay for its vocabulary. */
export async function loadTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import("../text/token-counter.ts");
  return countTokens;
}
