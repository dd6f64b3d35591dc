import type { OpenCall } from "../fact.ts";
import type { Invariant, View } from "../invariant.ts";

/** Deadlines are served with a resolution of 10 ms. */
export const resolutionMs = 20;

/** A reply is what the receiver gave for this very call, once, and reaches a caller that still lives. */
export function replies(): Invariant {
  return {
    name: "replies",
    onFact: (fact, view) => {
      if (fact.type === "replied" && fact.sent.deferral !== "open") {
        return `"${fact.life.name}" gives the reply to message ${fact.sent.position} of ${fact.sent.way} twice`;
      }
      if (fact.type !== "answered") return undefined;
      const { caller, sent, to } = fact.call;
      if (caller !== undefined && view.isOver(caller)) {
        return `a reply of ${targetOf(fact.call)} reaches incarnation ${caller.number} of "${caller.name}" after its end`;
      }
      if (fact.call.isRepeated) return undefined;
      // Supervisors answer by themselves.
      if (
        sent === undefined &&
        typeof to === "string" &&
        view.plan.supervisorOf(to) !== undefined
      ) {
        return undefined;
      }
      if (sent === undefined)
        return `a call to ${targetOf(fact.call)} is answered that was never sent`;
      if (sent.deferral === "open") {
        return `${describe(fact.call)} is answered, but its reply was put off and not given`;
      }
      if (sent.outcome !== "handled" && sent.deferral === "none") {
        return `${describe(fact.call)} is answered, but its handler has not ended`;
      }
      if (sent.result === undefined || sent.result === JSON.stringify(fact.payload))
        return undefined;
      return `${describe(fact.call)} is answered with what another call is answered with`;
    },
  };
}

/** Every call ends, at the latest at its deadline. */
export function callsEnd(): Invariant {
  const late = (view: View): string | undefined => {
    for (const call of view.openCalls) {
      if (view.atMs > call.deadlineMs + resolutionMs && isWaitedFor(call, view)) {
        return `${describe(call)} waits beyond its deadline`;
      }
    }
    return undefined;
  };
  return {
    name: "calls-end",
    onQuiet: (view) => (view.isStopped ? undefined : late(view)),
    onEnd: (view) => {
      for (const call of view.openCalls) {
        // What is on its way ends where it arrives, and nothing arrives any more.
        if (!isOnItsWay(call, view) && isWaitedFor(call, view))
          return `${describe(call)} still waits when all has stopped`;
      }
      return undefined;
    },
  };
}

/** Whether the message of a call has not arrived; of one that is made again, whether any for its agent has not. */
function isOnItsWay({ isRepeated, sent, to }: OpenCall, view: View): boolean {
  if (!isRepeated) return sent !== undefined && sent.arrivedAtMs === undefined;
  return [...view.waiting].some(
    ({ agent, arrivedAtMs }) =>
      arrivedAtMs === undefined && (typeof to !== "string" || agent === to),
  );
}

function isWaitedFor({ caller }: OpenCall, view: View): boolean {
  return caller === undefined || !view.isOver(caller);
}

/** How a call is called in a reason. */
export function describe(call: OpenCall): string {
  const { caller, sent } = call;
  const from = caller === undefined ? "from outside" : `of "${caller.name}"`;
  const position = sent === undefined ? "" : ` (message ${sent.position})`;
  return `a call ${from} to ${targetOf(call)}${position}`;
}

function targetOf({ to }: OpenCall): string {
  return typeof to === "string" ? `"${to}"` : `who has the capability "${to.capability}"`;
}
