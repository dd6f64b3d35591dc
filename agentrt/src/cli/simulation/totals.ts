import { printable } from "../../core/index.ts";
import {
  ownCrashName,
  type RunCounts,
  type RunReport,
  type Violation,
} from "../../testing/index.ts";
import type { CommandIo } from "../command.ts";
import type { SimulationRequest } from "./request.ts";
import { safeJson } from "../safe-json.ts";

/** A smaller run of the same seed that fails in the same way. */
export interface SmallerFailure {
  /** The only kinds of faults that happen in it; undefined where none could be left out. */
  readonly faults: readonly string[] | undefined;
  /** Messages of the default workload; undefined for a workload of the user's. */
  readonly messageCount: number | undefined;
  /** Runs that were tried to find it. */
  readonly triedCount: number;
  /** The command that repeats it. */
  readonly repeat: string;
}

/** A run that failed. */
export interface RunFailure extends Violation {
  readonly seed: number;
  /** The command that repeats it. */
  readonly repeat: string;
  readonly smaller: SmallerFailure | undefined;
}

/** What came of many runs. */
export interface SimulationTotals {
  runCount: number;
  counts: RunCounts;
  /** Runs whose tree did not start, through no fault of the simulation, and why the first did not. */
  startFailureCount: number;
  startFailure: string | undefined;
  /** The first crash of an agent's own code. */
  ownCrash: string | undefined;
  failure: RunFailure | undefined;
  trace: readonly string[];
}

/** @returns Totals of no run. */
export function emptyTotals(): SimulationTotals {
  return {
    runCount: 0,
    counts: {
      messages: 0,
      injectedCrashes: 0,
      ownCrashes: 0,
      restarts: 0,
      exhausted: 0,
      faults: 0,
      steps: 0,
      virtualMs: 0,
    },
    startFailureCount: 0,
    startFailure: undefined,
    ownCrash: undefined,
    failure: undefined,
    trace: [],
  };
}

/** Adds one run. */
export function addReport(totals: SimulationTotals, report: RunReport): void {
  totals.runCount += 1;
  addCounts(totals.counts, report.counts);
  if (report.startFailure !== undefined) totals.startFailureCount += 1;
  totals.startFailure ??= report.startFailure;
  totals.ownCrash ??= report.ownCrash;
}

/** Adds the runs of one process to those of the others. */
export function addTotals(totals: SimulationTotals, more: SimulationTotals): void {
  totals.runCount += more.runCount;
  addCounts(totals.counts, more.counts);
  totals.startFailureCount += more.startFailureCount;
  totals.startFailure ??= more.startFailure;
  totals.ownCrash ??= more.ownCrash;
  const isEarlier =
    more.failure !== undefined && more.failure.seed < (totals.failure?.seed ?? Infinity);
  if (isEarlier || (more.trace.length > 0 && totals.failure === undefined)) {
    totals.failure = more.failure;
    totals.trace = more.trace;
  }
}

function addCounts(totals: RunCounts, counts: RunCounts): void {
  for (const [name, count] of Object.entries(counts)) totals[name as keyof RunCounts] += count;
}

/** Puts names in place of the values of variables, wherever totals hold a text that agents have a part in. */
export function maskTotals(
  totals: SimulationTotals,
  mask: (text: string) => string,
): SimulationTotals {
  const { failure, ownCrash, startFailure } = totals;
  return {
    ...totals,
    trace: totals.trace.map(mask),
    ownCrash: ownCrash === undefined ? undefined : mask(ownCrash),
    startFailure: startFailure === undefined ? undefined : mask(startFailure),
    failure: failure === undefined ? undefined : { ...failure, reason: mask(failure.reason) },
  };
}

/** Prints what came of all runs. */
export function printTotals(
  result: {
    readonly request: SimulationRequest;
    readonly totals: SimulationTotals;
    readonly leftOut: readonly string[];
  },
  io: CommandIo,
): void {
  const { request, totals } = result;
  if (request.isJson) {
    io.print(`${safeJson(jsonOf(result), { indent: 2 })}\n`);
    return;
  }
  const { counts, failure } = totals;
  for (const line of totals.trace) io.print(`${printable(line)}\n`);
  const last = request.firstSeed + totals.runCount - 1;
  const seeds = totals.runCount === 1 ? `seed ${last}` : `seeds ${request.firstSeed} to ${last}`;
  const end = failure === undefined ? "no invariant broken" : endOf(failure);
  io.print(`${counted(totals.runCount, "run")}, ${seeds}: ${end}\n`);
  const crashes = `${counted(counts.injectedCrashes + counts.ownCrashes, "crash", "crashes")} (${counts.ownCrashes} by the agents' own code)`;
  io.print(
    `${counted(counts.messages, "message")}, ${counted(counts.faults, "fault")}, ${crashes}, ${counted(counts.restarts, "restart")}, ${counted(counts.exhausted, "budget")} used up, ${duration(counts.virtualMs)} of virtual time\n`,
  );
  if (totals.ownCrash !== undefined) {
    io.print(printable(`the first crash by an agent's own code: ${totals.ownCrash}`) + "\n");
  }
  if (totals.startFailureCount > 0) {
    const where =
      totals.startFailureCount === totals.runCount
        ? "the tree started in none of the runs"
        : `the tree did not start in ${counted(totals.startFailureCount, "run")}`;
    io.print(`${printable(`${where}: ${totals.startFailure ?? ""}`)}\n`);
  }
  if (failure === undefined) return;
  const at = `seed ${failure.seed}, after ${Math.round(failure.atMs)} ms`;
  io.print(`${printable(`${at}: ${failure.invariant}: ${failure.reason}`)}\n`);
  io.print(`repeat it: ${printable(failure.repeat)}\n`);
  if (failure.smaller !== undefined) io.print(`${printable(smallerText(failure.smaller))}\n`);
}

function smallerText({ faults, messageCount, repeat }: SmallerFailure): string {
  const parts = [
    ...(messageCount === undefined ? [] : [counted(messageCount, "message")]),
    ...(faults === undefined
      ? []
      : [faults.length === 0 ? "no fault" : `no faults but ${faults.join(", ")}`]),
  ];
  return `it fails as well with ${parts.join(" and ")}: ${repeat}`;
}

function endOf({ invariant }: Violation): string {
  return invariant === ownCrashName ? "an agent crashed by its own code" : "an invariant is broken";
}

function jsonOf({
  request,
  totals,
  leftOut,
}: {
  readonly request: SimulationRequest;
  readonly totals: SimulationTotals;
  readonly leftOut: readonly string[];
}): object {
  const { counts, failure } = totals;
  return {
    topology: request.paths[0],
    overlays: request.paths.slice(1),
    seed: request.firstSeed,
    runs: totals.runCount,
    ok: failure === undefined && totals.startFailureCount < totals.runCount,
    failure:
      failure === undefined
        ? null
        : {
            seed: failure.seed,
            invariant: failure.invariant,
            reason: failure.reason,
            at_ms: failure.atMs,
            repeat: failure.repeat,
            smaller: smallerJson(failure.smaller),
          },
    left_out: leftOut,
    counts: {
      messages: counts.messages,
      faults: counts.faults,
      injected_crashes: counts.injectedCrashes,
      own_crashes: counts.ownCrashes,
      restarts: counts.restarts,
      exhausted: counts.exhausted,
      steps: counts.steps,
      virtual_ms: counts.virtualMs,
    },
    own_crash: totals.ownCrash ?? null,
    start_failures: totals.startFailureCount,
    start_failure: totals.startFailure ?? null,
    ...(request.isTraced ? { trace: totals.trace } : {}),
  };
}

function smallerJson(smaller: SmallerFailure | undefined): SmallerJson | null {
  if (smaller === undefined) return null;
  const { faults = null, messageCount = null, triedCount, repeat } = smaller;
  return { faults, messages: messageCount, runs_tried: triedCount, repeat };
}

function smallerOfJson(smaller: SmallerJson | null): SmallerFailure | undefined {
  if (smaller === null) return undefined;
  const { faults, messages, runs_tried: triedCount, repeat } = smaller;
  return {
    faults: faults ?? undefined,
    messageCount: messages ?? undefined,
    triedCount,
    repeat,
  };
}

interface SmallerJson {
  readonly faults: readonly string[] | null;
  readonly messages: number | null;
  readonly runs_tried: number;
  readonly repeat: string;
}

/** Reads back what another process printed. */
export function totalsOfJson(text: string): SimulationTotals {
  const document = JSON.parse(text) as {
    readonly runs: number;
    readonly counts: { readonly [name: string]: number };
    readonly failure: {
      readonly seed: number;
      readonly invariant: string;
      readonly reason: string;
      readonly at_ms: number;
      readonly repeat: string;
      readonly smaller: SmallerJson | null;
    } | null;
    readonly own_crash: string | null;
    readonly start_failures: number;
    readonly start_failure: string | null;
    readonly trace?: readonly string[];
  };
  const { counts, failure } = document;
  return {
    runCount: document.runs,
    counts: {
      messages: counts["messages"] ?? 0,
      faults: counts["faults"] ?? 0,
      injectedCrashes: counts["injected_crashes"] ?? 0,
      ownCrashes: counts["own_crashes"] ?? 0,
      restarts: counts["restarts"] ?? 0,
      exhausted: counts["exhausted"] ?? 0,
      steps: counts["steps"] ?? 0,
      virtualMs: counts["virtual_ms"] ?? 0,
    },
    startFailureCount: document.start_failures,
    startFailure: document.start_failure ?? undefined,
    ownCrash: document.own_crash ?? undefined,
    failure:
      failure === null
        ? undefined
        : { ...failure, atMs: failure.at_ms, smaller: smallerOfJson(failure.smaller) },
    trace: document.trace ?? [],
  };
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function duration(virtualMs: number): string {
  const seconds = Math.round(virtualMs / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
