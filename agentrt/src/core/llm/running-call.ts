/** A call of a model or of a tool while it runs. */
export interface RunningCall {
  /** Of the model provider that is asked at the moment, or of the tool. */
  name: string;
  /** Since when its answer, or the next part of it, is waited for: monotonic time; null while nobody waits. */
  sinceMs: number | null;
}

/**
 * Finds the call that is waited for longest.
 *
 * @returns Undefined where none is waited for.
 */
export function longestWait(
  calls: Iterable<RunningCall>,
): { readonly name: string; readonly sinceMs: number } | undefined {
  let found: { readonly name: string; readonly sinceMs: number } | undefined;
  for (const { name, sinceMs } of calls)
    if (sinceMs !== null && sinceMs < (found?.sinceMs ?? Number.POSITIVE_INFINITY))
      found = { name, sinceMs };
  return found;
}
