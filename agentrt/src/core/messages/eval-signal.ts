import type { JsonObject } from "../values/index.ts";

/** Type of the messages that `emitEval` sends. */
export const evalEventType = "agentrt.eval.event";
/** Type of the messages that `onCorrection` gets. */
export const correctionType = "agentrt.eval.correction";
/** Type of the messages that stop an agent until somebody resumes it. */
export const haltType = "agentrt.eval.halt";

/** How hard a correction is: a hint, a change of course, the end. */
export type EvalSeverity = "nudge" | "redirect" | "halt";

/** The severities. */
export const evalSeverities: readonly EvalSeverity[] = ["nudge", "redirect", "halt"];

/** What an agent reported. */
export interface EvalEvent {
  /** Who reported it: the sender of the message, whatever its payload says. */
  readonly agentName: string;
  readonly eventType: string;
  readonly payload: JsonObject;
  readonly traceId: string;
  readonly messageId: string;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly timestampMs: number;
}

/** A correction. */
export interface EvalSignal {
  readonly severity: EvalSeverity;
  readonly reason: string;
  /** Details for the target; default none. */
  readonly payload?: JsonObject | undefined;
}
