/** A timer that runs. */
export interface Timer {
  /** Stops it; without effect when its time has come. */
  stop(): void;
}

/** Milliseconds since 1970, as the machine's clock says: it may be set. */
export function wallClockMs(): number {
  return Date.now();
}

/** Milliseconds since some moment: for durations, because it never goes back. */
export function steadyMs(): number {
  return performance.now();
}

/** Calls `run` once, after `waitMs`. */
export function startTimer(waitMs: number, run: () => void): Timer {
  const timer = setTimeout(run, waitMs);
  return { stop: () => clearTimeout(timer) };
}

/** Waits `waitMs`. */
export async function sleep(waitMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, waitMs);
  });
}

/** Waits until the event loop has turned once: what the system had queued is heard by then. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
