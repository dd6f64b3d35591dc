import type { Invariant } from "../invariant.ts";

/** At most one incarnation of a name lives at a time, handles one message at a time, and only while it runs. */
export function oneIncarnation(): Invariant {
  return {
    name: "one-incarnation",
    onFact: (fact, view) => {
      if (fact.type === "created") {
        const before = view.lives.get(fact.life.name);
        if (before === undefined || view.isOver(before)) return undefined;
        const state = before.crashedAtMs === undefined ? before.phase : "ending after a crash";
        return `"${fact.life.name}" is started while its incarnation ${before.number} is ${state}`;
      }
      if (fact.type !== "handling") return undefined;
      const { life } = fact;
      if (view.isOver(life) || life.crashedAtMs !== undefined) {
        return `incarnation ${life.number} of "${life.name}" handles a message after its end`;
      }
      if (life.phase !== "running")
        return `"${life.name}" handles a message while it is ${life.phase}`;
      if (life.handling !== undefined && life.handling !== fact.sent) {
        return `"${life.name}" handles two messages at once`;
      }
      return undefined;
    },
  };
}
