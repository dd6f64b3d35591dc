import type { Message } from "../messages/index.ts";
import type { Log, LogFields, LogLevel } from "../ports/index.ts";

/** The fields that log lines of an agent have while it handles a message. */
export interface TraceFields {
  readonly traceId: string;
  readonly spanId: string;
}

/** @returns The trace of a message, for a log line. */
export function traceOf(message: Message | undefined): TraceFields | undefined {
  return message === undefined ? undefined : { traceId: message.traceId, spanId: message.spanId };
}

/** The log of an agent: its lines name the agent and, while it handles a message, that message's trace. */
export class AgentLog implements Log {
  readonly #log: Log;
  readonly #trace: () => TraceFields | undefined;

  /**
   * @param log Names the agent already.
   * @param trace Returns the trace of the message at hand; called only for lines that are written.
   */
  constructor(log: Log, trace: () => TraceFields | undefined) {
    this.#log = log;
    this.#trace = trace;
  }

  debug(message: string, fields?: LogFields): void {
    if (this.isEnabled("debug")) this.#log.debug(message, this.#traced(fields));
  }

  info(message: string, fields?: LogFields): void {
    if (this.isEnabled("info")) this.#log.info(message, this.#traced(fields));
  }

  warn(message: string, fields?: LogFields): void {
    if (this.isEnabled("warn")) this.#log.warn(message, this.#traced(fields));
  }

  error(message: string, fields?: LogFields): void {
    if (this.isEnabled("error")) this.#log.error(message, this.#traced(fields));
  }

  with(fields: LogFields): Log {
    return new AgentLog(this.#log.with(fields), this.#trace);
  }

  isEnabled(level: LogLevel): boolean {
    return this.#log.isEnabled?.(level) ?? true;
  }

  #traced(fields: LogFields | undefined): LogFields | undefined {
    const trace = this.#trace();
    return trace === undefined ? fields : { ...trace, ...fields };
  }
}
