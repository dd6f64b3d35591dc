import { simulatedTree, type SimulatedTree } from "../../composition/index.ts";
import { createRealSystem } from "../../core/index.ts";
import {
  explore,
  type ExploreOptions,
  type Invariant,
  type RepeatableWorld,
  type RunReport,
  type Violation,
  VirtualClock,
  type Workload,
} from "../../testing/index.ts";
import { formatProblem } from "../../topology/index.ts";
import type { CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { endingOnStrayFaults, whileLoading } from "../running/index.ts";
import type { LoadedTopology } from "../topologies/index.ts";
import { runSimulationJobs } from "./jobs.ts";
import { commandLine, repeatWords, type SimulationRequest } from "./request.ts";
import { shrinkRun } from "./shrink.ts";
import { standInsOf, type StandIns } from "./stand-ins.ts";
import {
  addReport,
  emptyTotals,
  maskTotals,
  printTotals,
  type SimulationTotals,
  type SmallerFailure,
} from "./totals.ts";

const progressMs = 1000;
/** Longest search for a smaller run that fails; one that goes on at its end is waited for. */
const shrinkMs = 60_000;

/**
 * Runs a topology with one seed after the other, up to the first that breaks an invariant.
 *
 * @param request What was asked for.
 * @param read The topology, and what keeps the values of its variables out of the result.
 * @param io Takes the result, and on stderr notes and the progress of what takes longer than a second.
 * @returns The exit code: 1 when an invariant was broken, or the tree never started.
 * @throws AGENTRT_COMPOSITION_*, AGENTRT_PLUGIN_*.
 */
export async function runSimulation(
  request: SimulationRequest,
  { topology, notes, mask }: LoadedTopology,
  io: CommandIo,
): Promise<number> {
  for (const note of notes) io.tell(`note: ${formatProblem(note)}`);
  // What modules do when they are loaded is repeated, too.
  const { world } = new VirtualClock({ seed: 0 });
  const tree = await whileLoading(io, async () =>
    world.run(() => simulatedTree(topology, request.paths[0])),
  );
  try {
    for (const name of tree.leftOut) io.tell(`note: "${name}" is left out: nothing listens here`);
    const standIns = await world.run(() => standInsOf(request, tree, io));
    const totals =
      request.jobCount > 1 && request.runCount > 1
        ? await runSimulationJobs(request, io)
        : await endingOnStrayFaults(io, () => runAll({ request, tree, standIns, world }, io));
    const isStarted = totals.startFailureCount < totals.runCount;
    printTotals({ request, totals: maskTotals(totals, mask), leftOut: tree.leftOut }, io);
    return totals.failure === undefined && isStarted ? 0 : 1;
  } finally {
    tree.close();
  }
}

async function runAll(
  {
    request,
    tree,
    standIns,
    world,
  }: {
    readonly request: SimulationRequest;
    readonly tree: SimulatedTree;
    readonly standIns: StandIns;
    readonly world: RepeatableWorld;
  },
  io: CommandIo,
): Promise<SimulationTotals> {
  const { firstSeed, runCount, isTraced } = request;
  const options = { ...(await world.run(() => exploreOptions(request, tree))), ...standIns };
  const totals = emptyTotals();
  const system = createRealSystem();
  let toldAtMs = system.monotonicMs();
  for (let count = 0; count < runCount; count += 1) {
    const seed = firstSeed + count;
    const report = await exploreOnce({ ...options, seed }, { totals, request });
    if (report.outsideUse !== undefined) {
      throw new cliErrors.OUTSIDE_WORLD({ ...report.outsideUse, seed });
    }
    addReport(totals, report);
    if (report.violation !== undefined || (isTraced && runCount === 1)) {
      const trace = await traceOf(report, options, request);
      totals.trace = trace;
    }
    if (report.violation !== undefined) {
      const repeat = commandLine(repeatWords(request, seed));
      const failed = { ...report, violation: report.violation };
      const smaller = await smallerOf(failed, { options, request });
      totals.failure = { seed, ...report.violation, repeat, smaller };
      break;
    }
    if (system.monotonicMs() - toldAtMs >= progressMs && count + 1 < runCount) {
      toldAtMs = system.monotonicMs();
      io.tell(`${count + 1} of ${runCount} runs`);
    }
  }
  return totals;
}

/**
 * Runs one seed. Where errors were thrown costs too much to note in each run: a run with a crash or a violation that is
 * reported is run again for that.
 */
async function exploreOnce(
  options: ExploreOptions,
  { totals, request }: { readonly totals: SimulationTotals; readonly request: SimulationRequest },
): Promise<RunReport> {
  if (request.runCount === 1) return await explore({ ...options, isTraced: request.isTraced });
  const report = await explore({ ...options, hasPlaces: false });
  const isFirstCrash = totals.ownCrash === undefined && report.ownCrash !== undefined;
  if (report.violation === undefined && !isFirstCrash) return report;
  const again = await explore(options);
  // One that cannot be repeated is a find all the same.
  return again.violation?.invariant === report.violation?.invariant ? again : report;
}

/** Looks for a smaller run of the same seed that fails in the same way. */
async function smallerOf(
  failed: RunReport & { readonly violation: Violation },
  {
    options,
    request,
  }: {
    readonly options: Omit<ExploreOptions, "seed">;
    readonly request: SimulationRequest;
  },
): Promise<SmallerFailure | undefined> {
  const { seed } = failed;
  const hasOwnWorkload = request.workload !== undefined;
  // One run alone is one that is repeated.
  if (request.runCount === 1 || (request.isCalm && hasOwnWorkload)) return undefined;
  const system = createRealSystem();
  const deadlineMs = system.monotonicMs() + shrinkMs;
  const { onlyFaults, messageCountMax, runCount } = await shrinkRun(
    failed,
    (parts) => explore({ ...options, ...parts, seed, hasPlaces: false }),
    {
      hasOwnWorkload,
      isTimeLeft: () => system.monotonicMs() < deadlineMs,
    },
  );
  const faults = request.isCalm ? request.onlyFaults : onlyFaults;
  const words = repeatWords({ ...request, onlyFaults: faults, messageCountMax }, seed);
  const repeat = commandLine(words);
  return { faults, messageCount: messageCountMax, triedCount: runCount, repeat };
}

/** A run that fails is repeated with its trace, which costs too much to write for each. */
async function traceOf(
  report: RunReport,
  options: Omit<ExploreOptions, "seed">,
  request: SimulationRequest,
): Promise<readonly string[]> {
  if (!request.isTraced || report.trace.length > 0) return report.trace;
  const { trace } = await explore({ ...options, seed: report.seed, isTraced: true });
  return trace;
}

async function exploreOptions(
  request: SimulationRequest,
  tree: SimulatedTree,
): Promise<Omit<ExploreOptions, "seed">> {
  const { durationMs, stepCountMax, isCalm, onlyFaults, messageCountMax } = request;
  const load = async (type: string | undefined) =>
    type === undefined ? undefined : await tree.loadFunction(type);
  const workload = (await load(request.workload)) as Workload | undefined;
  const makeInvariants = await load(request.invariants);
  const invariants =
    makeInvariants === undefined
      ? undefined
      : () => checkedInvariants(request.invariants ?? "", makeInvariants());
  // Asked once before anything runs: a wrong list is told at once.
  invariants?.();
  const { supervision, loadClass, resilience } = tree;
  const limits = { durationMs, stepCountMax, isCalm, onlyFaults, messageCountMax };
  return { supervision, loadClass, resilience, ...limits, workload, invariants };
}

function checkedInvariants(type: string, made: unknown): readonly Invariant[] {
  if (made instanceof Promise) made.catch(() => undefined);
  const isList =
    Array.isArray(made) &&
    made.every((each: unknown) => typeof (each as Invariant | null)?.name === "string");
  if (isList) return made as readonly Invariant[];
  throw new cliErrors.INVARIANTS_WRONG({ type });
}
