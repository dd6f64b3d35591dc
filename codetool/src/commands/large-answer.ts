/** Tokens from which on an answer says how to ask for less. */
const largeTokensMin = 10_000;

/**
 * What is said of an answer that is large, and that no budget bounds.
 *
 * @param tokens Of its data, about.
 * @param ways What gives less: a flag or an argument, and what for.
 * @returns One warning; none for an answer of at most 10 000 tokens.
 */
export function remarkOnSize(tokens: number, ways: readonly string[]): string[] {
  if (tokens <= largeTokensMin) return [];
  return [`The answer has about ${tokens} tokens; for less: ${ways.join(", ")}`];
}
