const wholeMsMax = 2500;
const stopMsMax = 100;

/** What the clients of one protocol saw, milliseconds. */
export interface ClientTimes {
  /** Of each answer that was read to its end. */
  readonly wholeMs: number[];
  /** From a client's leave to the end of its answer at the model. */
  readonly stopMs: number[];
  /** From a client's leave to the first piece of its next answer. */
  readonly nextMs: number[];
  /** What the runtime and the clients waited for a processor meanwhile. */
  readonly cpuWaitMs: number;
}

/** One line of the report. */
export function lineOf(name: string, { wholeMs, stopMs, nextMs, cpuWaitMs }: ClientTimes): string {
  const shown = (values: readonly number[]): string => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number): string =>
      (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
    return `${at(0.5)} ms median, ${at(1)} ms at most`;
  };
  return `  ${name.padEnd(22)} whole answer ${shown(wholeMs)}; model left by ${stopMs.length} after ${shown(stopMs)}; next begins after ${shown(nextMs)}; ${cpuWaitMs.toFixed(0)} ms without a processor`;
}

/**
 * What took too long. Time in which the machine gave its processors to others is not a fault of the runtime: so much later
 * than on a machine with nothing else to do may anything be.
 */
export function lateOf(name: string, { wholeMs, stopMs, cpuWaitMs }: ClientTimes): string[] {
  const slowestMs = Math.max(...wholeMs);
  const latestMs = Math.max(...stopMs);
  const without = `${cpuWaitMs.toFixed(0)} ms of it without a processor`;
  return [
    ...(slowestMs > wholeMsMax + cpuWaitMs
      ? [`${name}: an answer of 2 s took ${slowestMs.toFixed(0)} ms, at most ${without}`]
      : []),
    ...(latestMs > stopMsMax + cpuWaitMs
      ? [`${name}: the model went on for ${latestMs.toFixed(0)} ms, at most ${without}`]
      : []),
  ];
}
