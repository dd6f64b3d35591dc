import process from "node:process";
import {
  askService,
  type AskedLine,
  isStartWanted,
  maySend,
  startProgram,
} from "../service/index.ts";
import { isTerminal, workingDirectory } from "./around-process.ts";
import { linkedName } from "./linked-name.ts";
import type { Output } from "./output.ts";

/**
 * Has a service answer the command line of this process, and prints what it answers. Where there is none and one is wanted, it
 * starts one for the next question.
 *
 * @returns The exit code; `undefined` when this process is to answer by itself. Then nothing was printed.
 */
export async function answerByService(how: {
  readonly argv: readonly string[];
  readonly invokedAs: readonly string[];
  readonly output: Output;
}): Promise<number | undefined> {
  const { argv, invokedAs, output } = how;
  const folder = workingDirectory();
  if (folder === undefined) return undefined;
  const line: AskedLine = {
    argv,
    invokedAs,
    linkedCommand: linkedName(invokedAs),
    environment: process.env,
    workingDirectory: folder,
    isTerminal: () => isTerminal(2) && process.stderr.isTTY,
  };
  if (!maySend(line)) return undefined;
  const answer = await askService(line).catch(() => "declined" as const);
  if (answer === "absent" && isStartWanted(line)) {
    const start = { argv: ["serve"], environment: process.env, workingDirectory: folder };
    const child = await startProgram(start, "ignore");
    // Whatever prevents it, this process answers.
    child.on("error", () => undefined);
  }
  if (typeof answer === "string") return undefined;
  if (answer.stderr.length > 0) process.stderr.write(answer.stderr);
  await output.write(answer.stdout);
  return answer.exitCode;
}
