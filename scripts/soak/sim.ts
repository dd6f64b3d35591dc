import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { agentrtLauncher, runProgram } from "testkit";

const binary = agentrtLauncher();
const examples = fileURLToPath(new URL("../../examples/simulation", import.meta.url));

/** The trees, each with what it takes beyond the default workload. */
const trees: readonly (readonly [name: string, ...words: string[]])[] = [
  ["retries"],
  ["escalation"],
  ["ledger", "--workload", "./promises.ts#transfers", "--invariants", "./promises.ts#promises"],
  ["ring"],
  ["fan-out"],
  ["tickets"],
  ["pools"],
  ["approvals"],
];

const timeoutMsMax = 3_600_000;

interface Printed {
  readonly runs: number;
  readonly failure: { readonly reason: string; readonly repeat: string } | null;
  readonly counts: { readonly [name: string]: number };
}

/**
 * Runs the simulation of all example trees, each with its own seeds, one after the other.
 *
 * @param rounds Runs over all trees together.
 * @returns What was done.
 * @throws Error with the command that repeats the run that broke an invariant.
 */
export async function soakSimulation(rounds: number): Promise<string> {
  const share = Math.ceil(rounds / trees.length);
  const totals = { runs: 0, messages: 0, faults: 0, crashes: 0, restarts: 0, hours: 0 };
  for (const [index, [name, ...words]] of trees.entries()) {
    const command = [
      binary,
      "sim",
      `${examples}/${name}/topology.yaml`,
      ...words,
      "--json",
      `--seed=${1 + index * share}`,
      `--runs=${share}`,
      `--jobs=${availableParallelism()}`,
    ];
    const exit = await runProgram(process.execPath, command, { timeoutMs: timeoutMsMax });
    if (exit.stdout === "") throw new Error(`${name}: ${exit.stderr}`);
    const { runs, failure, counts } = JSON.parse(exit.stdout) as Printed;
    if (failure !== null) throw new Error(`${name}: ${failure.reason}; repeat: ${failure.repeat}`);
    totals.runs += runs;
    totals.messages += counts["messages"] ?? 0;
    totals.faults += counts["faults"] ?? 0;
    totals.crashes += (counts["injected_crashes"] ?? 0) + (counts["own_crashes"] ?? 0);
    totals.restarts += counts["restarts"] ?? 0;
    totals.hours += (counts["virtual_ms"] ?? 0) / 3_600_000;
    process.stderr.write(`${name}: ${runs} runs, nothing broken\n`);
  }
  const { runs, messages, faults, crashes, restarts, hours } = totals;
  return `sim: ${runs} runs of ${trees.length} trees, no invariant broken; ${messages} messages, ${faults} faults, ${crashes} crashes, ${restarts} restarts, ${Math.round(hours)} h of virtual time`;
}
