import type { ModelPolicy } from "./policies.ts";

/** @returns The fallbacks that a policy names, as a list. */
export function fallbacksOf({ fallback }: Pick<ModelPolicy, "fallback">): readonly string[] {
  if (fallback === undefined) return [];
  return typeof fallback === "string" ? [fallback] : fallback;
}

/**
 * Says which providers are asked when one fails, with the fallbacks of the fallbacks.
 *
 * @param name Who is asked first.
 * @param fallbacks Finds the fallbacks that the policy of a provider names.
 * @returns The names, that of the first one in front, each once.
 */
export function fallbackOrder(
  name: string,
  fallbacks: (name: string) => readonly string[],
): string[] {
  const order: string[] = [];
  const add = (each: string): void => {
    if (order.includes(each)) return;
    order.push(each);
    for (const next of fallbacks(each)) add(next);
  };
  add(name);
  return order;
}

/**
 * Finds a chain of fallbacks that comes back to where it began.
 *
 * @param name Where it begins.
 * @param fallbacks Finds the fallbacks that the policy of a provider names.
 * @returns The chain, with the name at both ends; undefined when there is none.
 */
export function fallbackLoop(
  name: string,
  fallbacks: (name: string) => readonly string[],
): string[] | undefined {
  const seen = new Set<string>();
  const search = (at: string): string[] | undefined => {
    for (const next of fallbacks(at)) {
      if (next === name) return [at, name];
      if (seen.has(next)) continue;
      seen.add(next);
      const rest = search(next);
      if (rest !== undefined) return [at, ...rest];
    }
    return undefined;
  };
  return search(name);
}
