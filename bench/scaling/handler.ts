import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Contender, Sample } from "../bench.ts";
import { computeText } from "./workload.ts";

/** Calls of a handler before those that are measured: a just-in-time compiler that would change its mind has done so by then. */
const warmCount = 1500;

const programText = (count: number): string => `${computeText}
const work = (count) => { for (let call = 0; call < count; call += 1) compute(); };
work(${warmCount});
const before = process.cpuUsage();
work(${count});
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / ${count}));
`;

/** @returns Processor time of one computing handler, microseconds, in so many processes that do nothing else at the same time. */
async function handlerUs(processCount: number, count: number): Promise<number[]> {
  const args = ["--input-type=module", "--eval", programText(count)];
  const runs = Array.from({ length: processCount }, async () => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await once(child, "close");
    if (!(Number(said) > 0)) throw new Error(`the handlers said ${JSON.stringify(said)}`);
    return Number(said);
  });
  return await Promise.all(runs);
}

async function measure(processCount: number, count: number): Promise<Sample> {
  const times = await handlerUs(processCount, count);
  const meanUs = times.reduce((sum, each) => sum + each, 0) / times.length;
  return {
    operationCount: count * processCount,
    seconds: (meanUs * count * processCount) / 1_000_000,
    figures: { "processor time of a handler, us": meanUs },
  };
}

/** Makes the contenders of a bench: the handler that computes, in one plain process, and in two and four at once. */
export function handlers(): readonly [Contender, ...Contender[]] {
  const make = (processCount: number): Contender => ({
    name: `processes-${processCount}`,
    run: async ({ isQuick }) => await measure(processCount, isQuick ? 200 : 1000),
  });
  return [make(1), make(2), make(4)];
}
