/** What ends a process that does not listen. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The part of a process that signals come from. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  removeListener(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** The number of a signal in the exit code that shells give who was ended by it. */
const numbers: { readonly [signal: string]: number } = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * Makes the subscription to the signals that ask a process to end. Only while somebody listens does the process not end
 * by itself.
 *
 * @param onHeard Told with each signal what the process is to exit with once it has answered.
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
