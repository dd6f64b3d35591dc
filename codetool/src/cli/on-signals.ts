/** What ends a process that does not listen. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The part of a process that signals come from. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  removeListener(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/**
 * Makes the subscription to the signals that ask a process to end. Only while somebody listens does the process not end
 * by itself.
 */
export function onSignals(
  source: SignalSource,
): (listener: (signal: NodeJS.Signals) => void) => () => void {
  return (listener) => {
    for (const signal of endingSignals) source.on(signal, listener);
    return () => {
      for (const signal of endingSignals) source.removeListener(signal, listener);
    };
  };
}
