import type { DropReason } from "../../core/index.ts";
import type { Invariant, View } from "../invariant.ts";

/** Every message is handled, counted as dropped, or still there. */
export function messageBalance(): Invariant {
  const balance = (view: View): string | undefined => {
    const { handledCount, dropped } = view.messageCounts();
    let droppedCount = 0;
    for (const reason in dropped) {
      // A message without a receiver never comes to the transport.
      if (reason !== "noRoute") droppedCount += dropped[reason as DropReason];
    }
    let atHandCount = 0;
    for (const life of view.lives.values()) {
      if (view.isOver(life) || life.crashedAtMs !== undefined) continue;
      for (const { pendingHook } of life.handling) if (pendingHook !== undefined) atHandCount += 1;
    }
    const foundCount =
      handledCount +
      droppedCount +
      view.unwantedCount +
      atHandCount +
      view.queuedCount() +
      view.inTransitCount;
    // Senders that gave up are counted when their place in the line is looked at, at the latest at the stop.
    const isLost = view.isStopped ? foundCount < view.sentCount : false;
    if (foundCount <= view.sentCount && !isLost) return undefined;
    const parts = `handled ${handledCount}, dropped ${droppedCount}, at hand ${atHandCount}`;
    return `${view.sentCount} messages were sent, but ${foundCount} are accounted for: ${parts}, queued ${view.queuedCount()}, on their way ${view.inTransitCount}`;
  };
  return { name: "message-balance", onQuiet: balance };
}

/** A message is dropped once, and only one that was not handled; none is lost without a count. */
export function dropsCounted(): Invariant {
  return {
    name: "drops-counted",
    onFact: (fact) => {
      if (fact.type !== "dropped") return undefined;
      const { way, position, dropCount, outcome } = fact.sent;
      const message = `message ${position} of ${way}`;
      if (dropCount > 1) return `${message} is counted as dropped ${dropCount} times`;
      if (outcome === "handled" && fact.reason !== "crashed" && fact.reason !== "stopped") {
        return `${message} is handled, and counted as dropped: ${fact.reason}`;
      }
      return undefined;
    },
    onEnd: (view) => {
      for (const { way, position, arrivedAtMs } of view.waiting) {
        if (arrivedAtMs === undefined) continue;
        return `message ${position} of ${way} is neither handled nor counted as dropped`;
      }
      return undefined;
    },
  };
}
