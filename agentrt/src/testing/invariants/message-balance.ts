import type { Invariant, View } from "../invariant.ts";

/** Every message is handled, counted as dropped, or still there. */
export function messageBalance(): Invariant {
  const balance = (view: View): string | undefined => {
    const { totalMessages, dropped } = view.snapshot();
    // A message without a receiver never comes to the transport.
    const { noRoute: _, ...reasons } = dropped;
    const droppedCount = Object.values(reasons).reduce((sum, count) => sum + count, 0);
    let atHandCount = 0;
    for (const life of view.lives.values()) {
      const isAtHand = life.pendingHook === "handle" || life.pendingHook === "onError";
      if (isAtHand && !view.isOver(life) && life.crashedAtMs === undefined) atHandCount += 1;
    }
    const foundCount =
      totalMessages +
      droppedCount +
      view.unwantedCount +
      atHandCount +
      view.queuedCount() +
      view.inTransitCount;
    // Senders that gave up are counted when their place in the line is looked at, at the latest at the stop.
    const isLost = view.isStopped ? foundCount < view.sentCount : false;
    if (foundCount <= view.sentCount && !isLost) return undefined;
    const parts = `handled ${totalMessages}, dropped ${droppedCount}, at hand ${atHandCount}`;
    return `${view.sentCount} messages were sent, but ${foundCount} are accounted for: ${parts}, queued ${view.queuedCount()}, on their way ${view.inTransitCount}`;
  };
  return { name: "message-balance", onQuiet: balance };
}
