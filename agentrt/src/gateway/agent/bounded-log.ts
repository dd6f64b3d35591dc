import {
  type BurstKey,
  BurstLog,
  type Log,
  type LogFields,
  type System,
  TimerWheel,
} from "../../core/index.ts";
import { addressKey } from "../../gateway-settings/index.ts";

/** A log whose errors clients cannot multiply. */
export interface BoundedLog extends Log {
  /** Writes the counts of what was held back. */
  flush(): void;
}

const keyLengthMax = 200;

/**
 * Bounds the errors of a log: of those of one client that say the same the first is written at once, then one line with
 * their count every five seconds. What a client can bring about, it can bring about a thousand times a second.
 *
 * @param log Where the lines go.
 * @param system Clock and timers.
 */
export function boundErrors(log: Log, system: System): BoundedLog {
  const bursts = new BurstLog(log, { system, wheel: new TimerWheel(system) });
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => log.info(message, fields),
    warn: (message, fields) => log.warn(message, fields),
    error: (message, fields = {}) => bursts.error(keyOf(message, fields), message, fields),
    with: (fields) => log.with(fields),
    flush: () => bursts.flush(),
  };
}

function keyOf(message: string, { error, client }: LogFields): BurstKey {
  const reason = error instanceof Error ? `${error.name} ${error.message}` : "";
  const kind = `${message} ${reason}`.slice(0, keyLengthMax);
  return { kind, origin: typeof client === "string" ? addressKey(client) : undefined };
}
