const dayMs = 86_400_000;
const pattern = /^agentrt_spans_(\d{4}-\d\d-\d\d)\.db$/;

/**
 * Says in which window of time something is. Windows are counted from the Unix epoch, so every process has the same.
 *
 * @param timeMs Wall-clock milliseconds.
 * @param windowDays Days of a window.
 * @returns 0 for the first one.
 */
export function windowOf(timeMs: number, windowDays: number): number {
  return Math.floor(timeMs / (windowDays * dayMs));
}

/** @returns The name of the file of a window: it holds the day, in UTC, on which the window begins. */
export function fileNameOf(window: number, windowDays: number): string {
  const begin = new Date(window * windowDays * dayMs);
  return `agentrt_spans_${begin.toISOString().slice(0, 10)}.db`;
}

/** @returns When the window of a file begins, wall-clock milliseconds; undefined for other files. */
export function beginOfFile(fileName: string): number | undefined {
  const day = pattern.exec(fileName)?.[1];
  return day === undefined ? undefined : Date.parse(`${day}T00:00:00Z`);
}
