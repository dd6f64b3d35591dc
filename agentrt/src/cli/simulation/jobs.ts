import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import type { CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { repeatWords, type SimulationRequest } from "./request.ts";
import { addTotals, emptyTotals, totalsOfJson, type SimulationTotals } from "./totals.ts";

/**
 * Shares the runs of a simulation out to their own processes. The first that fails ends the others.
 *
 * @param request All runs.
 * @param io Takes the progress.
 * @returns What came of all of them.
 * @throws AGENTRT_CLI_JOB_FAILED when a process ends without a result.
 */
export async function runSimulationJobs(
  request: SimulationRequest,
  io: CommandIo,
): Promise<SimulationTotals> {
  const { jobCount, runCount, firstSeed } = request;
  const share = Math.ceil(runCount / jobCount);
  const done: number[] = [];
  const children: ChildProcess[] = [];
  const ended = { isFailed: false };
  const jobs = Array.from({ length: Math.ceil(runCount / share) }, async (_, index) => {
    const from = firstSeed + index * share;
    const count = Math.min(share, firstSeed + runCount - from);
    const output = await runJob(
      request,
      { from, count },
      {
        onStarted: (child) => children.push(child),
        onProgress: (doneCount) => {
          done[index] = doneCount;
          if (index === 0) io.tell(`${sum(done)} of ${runCount} runs`);
        },
      },
    );
    if (output.exitCode === undefined && ended.isFailed) return undefined;
    if (output.text === "") throw new cliErrors.JOB_FAILED({ reason: output.reason });
    const totals = totalsOfJson(output.text);
    if (totals.failure !== undefined) {
      ended.isFailed = true;
      for (const child of children) child.kill();
    }
    return totals;
  });
  const totals = emptyTotals();
  try {
    for (const each of await Promise.all(jobs)) if (each !== undefined) addTotals(totals, each);
  } finally {
    for (const child of children) child.kill();
  }
  return totals;
}

async function runJob(
  request: SimulationRequest,
  range: { readonly from: number; readonly count: number },
  {
    onStarted,
    onProgress,
  }: {
    readonly onStarted: (child: ChildProcess) => void;
    readonly onProgress: (doneCount: number) => void;
  },
): Promise<{ text: string; reason: string; exitCode: number | undefined }> {
  const [program = "", ...words] = process.argv.slice(1, 2);
  const line = repeatWords(request, range.from);
  line[line.indexOf("--runs") + 1] = String(range.count);
  if (request.isTraced) line.push("--trace");
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, ...words, ...line, "--json"],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  onStarted(child);
  let text = "";
  let reason = "it said nothing";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    for (const told of chunk.split("\n")) {
      const progress = /^(\d+) of \d+ runs$/.exec(told);
      if (progress !== null) onProgress(Number(progress[1]));
      else if (told !== "" && !/^(?:note: |read from the environment: )/.test(told)) reason = told;
    }
  });
  const exitCode = await new Promise<number | undefined>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? undefined));
  });
  return { text: exitCode === undefined ? "" : text, reason, exitCode };
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
