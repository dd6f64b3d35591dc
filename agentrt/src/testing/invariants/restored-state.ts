import type { Fact } from "../fact.ts";
import type { Invariant } from "../invariant.ts";

interface Saved {
  /** What was acknowledged last, as JSON. */
  acknowledged: string | undefined;
  /** What was asked for since: a write that was not acknowledged may have happened. */
  readonly asked: string[];
  /** True when it was spawned and has been ended since: then nothing needs to be left, and a store that fails leaves it. */
  isEnded: boolean;
}

/** A new incarnation begins with the last acknowledged checkpoint, or with one that was asked for after it. */
export function restoredState(): Invariant {
  const saves = new Map<string, Saved>();
  const savesOf = (name: string): Saved => {
    const known = saves.get(name);
    if (known !== undefined) return known;
    const saved: Saved = { acknowledged: undefined, asked: [], isEnded: false };
    saves.set(name, saved);
    return saved;
  };
  return {
    name: "restored-state",
    onFact: (fact, view) => {
      if (fact.type === "checkpointing") savesOf(fact.life.name).asked.push(fact.text);
      if (fact.type === "checkpointed") {
        const saved = savesOf(fact.life.name);
        saved.acknowledged = fact.text;
        saved.isEnded = false;
        saved.asked.splice(0, saved.asked.indexOf(fact.text) + 1);
      }
      if (isEndOfChild(fact)) savesOf(fact.event.child).isEnded = true;
      if (fact.type !== "starting") return undefined;
      const { life } = fact;
      // A key with an empty state leaves nothing behind.
      const isKey = view.plan.keyedOf(life.name) !== undefined;
      const { acknowledged, asked, isEnded } = savesOf(life.name);
      const found = JSON.stringify(life.agent.state);
      if (found === (acknowledged ?? life.initialState) || asked.includes(found)) return undefined;
      const isEmpty = asked.includes("{}") || acknowledged === "{}";
      const isForgotten = isEnded || (isKey && isEmpty);
      if (isForgotten && found === life.initialState) return undefined;
      return `"${life.name}" starts with ${cut(found)} instead of ${cut(acknowledged ?? life.initialState)}`;
    },
  };
}

/** True when a spawned child is gone whose state is not kept, unless the spawn asked for that. */
function isEndOfChild(fact: Fact): fact is Fact & {
  readonly type: "event";
  readonly event: { readonly type: "dynamic.terminated" };
} {
  if (fact.type !== "event" || fact.event.type !== "dynamic.terminated") return false;
  return fact.event.reason === "despawned" || fact.event.reason === "clean_exit";
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
