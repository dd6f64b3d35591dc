/** Gives memory that is not used any more back, where the runtime can be asked to. */
export function collectGarbage(): void {
  const { Bun: runtime, gc } = globalThis as {
    readonly Bun?: { gc(isSynchronous: boolean): void };
    readonly gc?: () => void;
  };
  if (runtime === undefined) gc?.();
  else runtime.gc(true);
}
