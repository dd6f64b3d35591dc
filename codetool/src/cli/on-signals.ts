/** The signals that end a process that does not listen to them. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The part of `process` that reports signals. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  removeListener(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** The number of a signal: shells report a process that it ended with this number in the exit code. */
const numbers: { readonly [signal: string]: number } = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * Makes the subscription to the signals that ask a process to end. A signal ends the process by itself only while nobody
 * listens.
 *
 * @param onHeard Called for each signal with the code that the process should exit with after its answer.
 */
export function onSignals(
  source: SignalSource,
  onHeard: (exitCode: number) => void,
): (listener: (signal: NodeJS.Signals) => void) => () => void {
  return (listener) => {
    const heard = (signal: NodeJS.Signals): void => {
      onHeard(128 + (numbers[signal] ?? 0));
      listener(signal);
    };
    for (const signal of endingSignals) source.on(signal, heard);
    return () => {
      for (const signal of endingSignals) source.removeListener(signal, heard);
    };
  };
}
