import { agentErrors, busErrors, messageInternals } from "../../core/index.ts";
import type { OpenCall, Sent } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";
import { describe, resolutionMs } from "./replies.ts";

/** Who has left gets no reply and no chunk, and what was asked for somebody who has left ends with it. */
export function noReplyAfterCancel(): Invariant {
  return {
    name: "no-reply-after-cancel",
    onFact: (fact, view) => {
      if (fact.type !== "answered" && fact.type !== "chunk") return undefined;
      const { call } = fact;
      const what = fact.type === "chunk" ? "gets a chunk" : "is answered";
      // A reply that was given in the same turn may come first.
      const hasLeft = call.leftAtMs !== undefined && call.leftAtQuiet < view.quietCount;
      if (hasLeft) return `${describe(call)} ${what} after its caller has left`;
      if (view.atMs > call.deadlineMs + resolutionMs) {
        return `${describe(call)} ${what} after its deadline`;
      }
      return undefined;
    },
    onQuiet: (view) => {
      for (const call of view.openCalls) {
        const { upstream } = call;
        const behind = upstream?.call;
        if (behind?.isSettled !== true || !isGone(behind.error) || call.isStream) continue;
        if (call.caller !== undefined && view.isOver(call.caller)) continue;
        return `${describe(call)} goes on, and nobody waits for what it was made for`;
      }
      return undefined;
    },
  };
}

/** Whether a call has ended because nobody waited for it any more. */
function isGone(error: unknown): boolean {
  return (
    error instanceof busErrors.TIMEOUT ||
    error instanceof busErrors.CANCELLED ||
    error instanceof agentErrors.CANCELLED
  );
}

/** Nothing is handled for a caller who left before it began. */
export function unwantedNotHandled(): Invariant {
  return {
    name: "unwanted-not-handled",
    onFact: (fact, view) => {
      if (fact.type !== "handling" || fact.sent?.call === undefined) return undefined;
      const { call, life } = fact.sent;
      // One that is tried again was wanted when it began.
      if (life !== undefined) return undefined;
      const why = whyGone(call, view);
      return why === undefined
        ? undefined
        : `"${fact.life.name}" begins with ${describe(call)}, and ${why}`;
    },
  };
}

/** @returns Whether somebody surely waits for what comes of a message, or nobody ever did. */
export function isWantedBy({ call, message }: Sent, view: View): boolean {
  // Of what an agent asked of a capability it is not seen whether the agent still waits.
  if (call === undefined) return messageInternals.replyOf(message) === undefined;
  // What a crashed caller waited for ends without it.
  return call.caller?.crashedAtMs === undefined && whyGone(call, view) === undefined;
}

function whyGone(call: OpenCall, view: View): string | undefined {
  if (call.leftAtMs !== undefined) return "its caller has left";
  if (call.isSettled) return "it has ended";
  if (view.atMs > call.deadlineMs + resolutionMs) return "its deadline has passed";
  return call.caller?.phase === "over" && call.caller.crashedAtMs === undefined
    ? "its caller has stopped"
    : undefined;
}

/** Who is asked for somebody else's call has no more time than that call. */
export function deadlinesShrink(): Invariant {
  return {
    name: "deadlines-shrink",
    onFact: (fact) => {
      if (fact.type !== "sent" || fact.sent.call === undefined) return undefined;
      const { call, message } = fact.sent;
      const deadlineMs = messageInternals.replyOf(message)?.deadlineMs ?? 0;
      const limitMs = call.upstream?.call?.deadlineMs;
      if (limitMs === undefined || deadlineMs <= limitMs + 1) return undefined;
      return `${describe(call)} may take ${Math.round(deadlineMs - limitMs)} ms longer than the call it is made for`;
    },
  };
}
