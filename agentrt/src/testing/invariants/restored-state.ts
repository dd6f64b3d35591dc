import type { Invariant } from "../invariant.ts";

interface Saved {
  /** What was acknowledged last, as JSON. */
  acknowledged: string | undefined;
  /** What was asked for since: a write that was not acknowledged may have happened. */
  readonly asked: string[];
}

/** A new incarnation begins with the last acknowledged checkpoint, or with one that was asked for after it. */
export function restoredState(): Invariant {
  const saves = new Map<string, Saved>();
  const savesOf = (name: string): Saved => {
    const known = saves.get(name);
    if (known !== undefined) return known;
    const saved: Saved = { acknowledged: undefined, asked: [] };
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
        saved.asked.splice(0, saved.asked.indexOf(fact.text) + 1);
      }
      if (fact.type !== "starting") return undefined;
      const { life } = fact;
      // A key with an empty state leaves nothing behind.
      const isKey = view.plan.keyedOf(life.name) !== undefined;
      const { acknowledged, asked } = savesOf(life.name);
      const found = JSON.stringify(life.agent.state);
      if (found === (acknowledged ?? life.initialState) || asked.includes(found)) return undefined;
      const isForgotten = asked.includes("{}") || acknowledged === "{}";
      if (isKey && isForgotten && found === life.initialState) return undefined;
      return `"${life.name}" starts with ${cut(found)} instead of ${cut(acknowledged ?? life.initialState)}`;
    },
  };
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
