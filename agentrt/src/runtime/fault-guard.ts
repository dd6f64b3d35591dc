import process from "node:process";
import type { FaultOwner, Kernel } from "../core/index.ts";

/** Reads which incarnation's code is running; undefined outside of any. */
export type FaultOwnerReader = () => FaultOwner | undefined;

type Handler = ((error: unknown) => void) & {
  readonly readOwner: FaultOwnerReader;
  /** Not named `listener`: an emitter with one handler hands out that property in its place. */
  readonly told: FaultListener;
};
type FaultEvent = "unhandledRejection" | "uncaughtException";

function handlersOf(event: FaultEvent): ReturnType<typeof process.listeners> {
  return process.listeners(event as "uncaughtException") as ReturnType<typeof process.listeners>;
}

function isGuard(listener: object): listener is Handler {
  return "readOwner" in listener;
}

/** Called before a fault or an exit ends the whole process. */
export interface FaultListener {
  /** The code of an agent of this runtime calls `process.exit`; this cannot be prevented. */
  onExit(owner: FaultOwner, exitCode: number): void;
  /**
   * A fault that belongs to no agent of any runtime in this process, and that no other handler catches.
   *
   * @returns True when it is taken care of; otherwise the process ends.
   */
  onStray(error: unknown): boolean;
}

/**
 * Crashes the agent whose code threw where nobody caught it (a floating promise, a timer), instead of the process.
 * The owner is found by its async context. A fault that belongs to no agent of any runtime here ends the process as
 * it would without us, unless the program has its own handler.
 *
 * @param readOwner Reads the async context of this runtime.
 * @param listener Called before the process ends.
 * @returns Takes the guard away; call it when the runtime stops.
 */
function installFaultGuard(readOwner: FaultOwnerReader, listener: FaultListener): () => void {
  const removals = (["unhandledRejection", "uncaughtException"] as const).map((event) => {
    const handler: Handler = Object.assign((error: unknown) => onFault(event, handler, error), {
      readOwner,
      told: listener,
    });
    process.on(event as "uncaughtException", handler);
    return () => process.removeListener(event, handler);
  });
  const exitListener = (exitCode: number): void => {
    const owner = readOwner();
    if (owner !== undefined) listener.onExit(owner, exitCode);
  };
  process.on("exit", exitListener);
  return () => {
    process.removeListener("exit", exitListener);
    for (const remove of removals) remove();
  };
}

function onFault(event: FaultEvent, handler: Handler, error: unknown): void {
  const owner = handler.readOwner();
  if (owner !== undefined) {
    owner.crash(error);
    return;
  }
  const listeners = handlersOf(event);
  const guards = listeners.filter(isGuard);
  const isAnswered =
    guards.length < listeners.length || guards.some((guard) => guard.readOwner() !== undefined);
  if (isAnswered || guards[0] !== handler) return;
  if (handler.told.onStray(error)) return;
  // The fault belongs to no agent: the guards are removed, so that Node reports it and ends the process.
  for (const name of ["unhandledRejection", "uncaughtException"] as const) {
    for (const guard of handlersOf(name).filter(isGuard)) process.removeListener(name, guard);
  }
  process.nextTick(() => {
    throw error;
  });
}

/**
 * Crashes the agent whose code threw an uncaught fault, and logs the faults that end the process.
 *
 * @param kernel Finds the agent whose code runs, and has the log.
 * @param onStray Takes a fault of no agent; without it the process ends.
 * @returns Removes the guard.
 */
export function guardFaults(
  kernel: Pick<Kernel, "faultOwner" | "log">,
  onStray?: (error: unknown) => void,
): () => void {
  return installFaultGuard(() => kernel.faultOwner.getStore(), {
    onExit: ({ name }, exitCode) => {
      // Made here, in the middle of the call: its stack leads to whoever called.
      const error = new Error("process.exit was called");
      kernel.log.error("an agent ends the process", { agent: name, exitCode, error });
    },
    onStray: (error) => {
      kernel.log.error("a fault outside of any agent ends the process", { error });
      onStray?.(error);
      return onStray !== undefined;
    },
  });
}
