import type { FaultKind, RunReport, Violation } from "../../testing/index.ts";

/** What of a run that fails can be left out. */
export interface RunParts {
  /** The only kinds of faults that happen. */
  readonly onlyFaults: readonly FaultKind[];
  /** Messages of the default workload; undefined where there is another workload. */
  readonly messageCountMax: number | undefined;
}

/** A smaller run that fails in the same way, and how many runs it took to find it. */
export interface SmallerRun extends RunParts {
  readonly runCount: number;
}

/** Most runs that are tried. */
const runCountMax = 40;

/**
 * Looks for a smaller run that breaks the same invariant: without kinds of faults, one after the other, and with the fewest
 * messages. What comes later in a run than what was left out may go another way, so it is tried, not known.
 *
 * @param found The run that fails.
 * @param explore Runs the same seed with only these parts.
 * @param options.hasOwnWorkload Whether the messages are not those of the default workload.
 * @param options.isTimeLeft Asked before each run.
 * @returns The smallest that was found; it may be as large as the one given.
 */
export async function shrinkRun(
  found: RunReport & { readonly violation: Violation },
  explore: (parts: RunParts) => Promise<RunReport>,
  options: { readonly hasOwnWorkload: boolean; readonly isTimeLeft: () => boolean },
): Promise<SmallerRun> {
  let runCount = 0;
  const { invariant } = found.violation;
  const fails = async (parts: RunParts): Promise<boolean> => {
    if (runCount >= runCountMax || !options.isTimeLeft()) return false;
    runCount += 1;
    return (await explore(parts)).violation?.invariant === invariant;
  };
  const messageCountMax = options.hasOwnWorkload ? undefined : found.counts.messages;
  let smallest: RunParts = { onlyFaults: found.faultKinds, messageCountMax };
  if (await fails({ ...smallest, onlyFaults: [] })) smallest = { ...smallest, onlyFaults: [] };
  for (const kind of smallest.onlyFaults) {
    const without = {
      ...smallest,
      onlyFaults: smallest.onlyFaults.filter((each) => each !== kind),
    };
    if (without.onlyFaults.length > 0 && (await fails(without))) smallest = without;
  }
  if (messageCountMax === undefined) return { ...smallest, runCount };
  // The fewest, if a run with more of them fails whenever one with fewer does.
  let leastFailing = messageCountMax;
  let mostPassing = -1;
  while (leastFailing - mostPassing > 1) {
    const middle = Math.floor((leastFailing + mostPassing) / 2);
    if (await fails({ ...smallest, messageCountMax: middle })) leastFailing = middle;
    else mostPassing = middle;
  }
  return { ...smallest, messageCountMax: leastFailing, runCount };
}
