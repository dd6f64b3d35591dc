import process from "node:process";
import { createRedactor, placeOfError, reasonOf } from "../../core/index.ts";
import type { CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { reportError } from "../report-error.ts";

const faultEvents = ["uncaughtException", "unhandledRejection"] as const;

/**
 * Loads user code, and says so when a module ends the process meanwhile: by `process.exit`, or by a fault of a timer or
 * promise that nobody waits for.
 *
 * @param io Takes the message.
 * @param load Loads it.
 */
export async function whileLoading<Loaded>(
  io: CommandIo,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  const onExit = (exitCode: number): void =>
    io.tell(
      `agentrt: a module of the topology called process.exit(${exitCode}) while it was loaded`,
    );
  // Nothing is left to wait for: that is another end, and somebody else reports it.
  const onNothingLeft = (): void => void process.off("exit", onExit);
  process.once("exit", onExit);
  process.once("beforeExit", onNothingLeft);
  try {
    return await endingOnStrayFaults(io, load, () => process.off("exit", onExit));
  } finally {
    process.off("exit", onExit);
    process.off("beforeExit", onNothingLeft);
  }
}

/**
 * Does work while code of modules may run that belongs to no agent. A fault of such code ends the process in one line,
 * with exit code 1.
 *
 * @param io Takes the message.
 * @param work The work.
 * @param onFault Called before the process ends.
 */
export async function endingOnStrayFaults<Result>(
  io: CommandIo,
  work: () => Promise<Result>,
  onFault: () => void = () => {},
): Promise<Result> {
  const redactor = createRedactor(io.environment);
  const end = (fault: unknown): void => {
    onFault();
    const place = fault instanceof Error ? placeOfError(fault) : undefined;
    const error = new cliErrors.STRAY_FAULT({ reason: reasonOf(fault), place });
    process.exit(reportError(error, (line) => io.tell(redactor.text(line))));
  };
  for (const event of faultEvents) process.on(event as "uncaughtException", end);
  try {
    return await work();
  } finally {
    for (const event of faultEvents) process.off(event, end);
  }
}
