import type { Invariant } from "../invariant.ts";

/** When the runtime has stopped, nothing of the tree runs any more. */
export function nothingAfterStop(): Invariant {
  return {
    name: "nothing-after-stop",
    onFact: (fact, view) => {
      if (!view.isStopped) return undefined;
      if (fact.type === "created" || fact.type === "starting" || fact.type === "handling") {
        return `"${fact.life.name}" is ${fact.type} after the runtime has stopped`;
      }
      return undefined;
    },
    onEnd: (view) => {
      for (const life of view.lives.values()) {
        if (!view.isOver(life))
          return `"${life.name}" is ${life.phase} when the runtime has stopped`;
      }
      return undefined;
    },
  };
}
