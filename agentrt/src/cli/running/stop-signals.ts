import process from "node:process";
import { createRealSystem } from "../../core/index.ts";

const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
type StopSignal = keyof typeof exitCodeOf;

/** A launcher passes on what the terminal may have delivered as well: the same signal within this time counts once. */
const echoMs = 100;

const keepAliveMs = 2_147_483_647;

/** The wait for a signal that asks the program to stop. */
export interface StopSignalWait {
  /** The first signal. */
  readonly promise: Promise<StopSignal>;
  /** Takes the handlers away. */
  readonly release: () => void;
}

/**
 * Waits for SIGINT, SIGTERM or SIGHUP (a terminal that is closed), and keeps the process alive until then. A second
 * signal ends the process at once, with 128 and the signal's number: 129, 130 or 143. Without a terminal SIGHUP stops
 * nothing: it asks, as it does of any service, to open files again.
 *
 * @param environment `AGENTRT_LAUNCHED` holds the process id of a launcher between this process and the terminal.
 * @param onHangUp Called for each SIGHUP where there is no terminal.
 */
export function waitForStopSignal(
  environment: {
    readonly [name: string]: string | undefined;
  },
  onHangUp: () => void,
): StopSignalWait {
  const isLaunched = environment["AGENTRT_LAUNCHED"] === String(process.ppid);
  const system = createRealSystem();
  let first: { signal: StopSignal; atMs: number } | undefined;
  let resolve: (signal: StopSignal) => void = () => undefined;
  const promise = new Promise<StopSignal>((settle) => {
    resolve = settle;
  });
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const onSignal = (signal: StopSignal): void => {
    if (signal === "SIGHUP" && !hasTerminal) return onHangUp();
    const atMs = system.monotonicMs();
    if (first === undefined) {
      first = { signal, atMs };
      resolve(signal);
      return;
    }
    if (isLaunched && signal === first.signal && atMs - first.atMs < echoMs) return;
    process.stderr.write(`${signal} again: not waiting\n`);
    process.exit(exitCodeOf[signal]);
  };
  for (const signal of Object.keys(exitCodeOf)) process.on(signal, onSignal);
  // Agents that only wait for messages keep no process alive, and neither does a signal handler.
  const keepAlive = (): void => {
    timer = system.setTimer(keepAliveMs, keepAlive);
  };
  let timer = system.setTimer(keepAliveMs, keepAlive);
  return {
    promise,
    release: () => {
      system.clearTimer(timer);
      for (const signal of Object.keys(exitCodeOf)) process.off(signal, onSignal);
    },
  };
}
