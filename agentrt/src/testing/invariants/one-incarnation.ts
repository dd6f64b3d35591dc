import type { Invariant, View } from "../invariant.ts";

/** At most one incarnation of a name or key lives at a time, handles no more messages than it may, and only while it runs. */
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
      const isAgain = fact.sent !== undefined && life.handling.has(fact.sent);
      const isMember = view.plan.poolOf(life.name) !== undefined;
      const most = isMember ? 1 : life.concurrency;
      if (!isAgain && life.handling.size >= most) {
        return `"${life.name}" handles ${life.handling.size + 1} messages at once, and may ${most}`;
      }
      if (fact.sent !== undefined && fact.sent.agent !== life.name && isKey(life.name, view)) {
        return `"${life.name}" handles a message for "${fact.sent.agent}"`;
      }
      return undefined;
    },
  };
}

function isKey(name: string, view: View): boolean {
  const keyed = view.plan.keyedOf(name);
  return keyed !== undefined && keyed.name !== name;
}
