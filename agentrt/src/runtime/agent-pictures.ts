import {
  type AgentActivity,
  AgentCell,
  type JsonObject,
  type KeyedSupervisor,
  KeyHandle,
  oldestTimestampMs,
  Pool,
  supervisionErrors,
} from "../core/index.ts";

/** What a name of a tree may stand for. */
type Actor = AgentCell | Pool | KeyedSupervisor | KeyHandle;

/** Most messages at hand that are listed of a pool or a keyed agent. */
const atHandCountMax = 100;

const nothing: AgentActivity = {
  className: null,
  atHand: [],
  mailboxDepth: 0,
  oldestMs: null,
  awaitsStore: false,
  awaits: null,
};

/**
 * Looks at what an agent does at this moment.
 *
 * @param actor An agent, a pool, a keyed agent, or a key.
 * @returns A picture without payloads.
 */
export function activityOf(actor: Actor): AgentActivity {
  if (actor instanceof AgentCell) return actor.activity();
  if (actor instanceof KeyHandle) return actor.cell?.activity() ?? nothing;
  if (actor instanceof Pool) {
    const { className, atHand, awaitsStore, awaits } = together(actor.members);
    const waiting = actor.waitingMessages();
    return {
      className,
      atHand,
      mailboxDepth: waiting.length,
      oldestMs: oldestTimestampMs(waiting),
      awaitsStore,
      awaits,
    };
  }
  return together(actor.cells());
}

/** What several agents do. Of a hundred thousand keys that rest nothing is copied. */
function together(cells: Iterable<AgentCell>): AgentActivity {
  let { className, mailboxDepth, oldestMs, awaitsStore, awaits } = nothing;
  const atHand: AgentActivity["atHand"][number][] = [];
  for (const cell of cells) {
    if (className !== null && cell.busyCount === 0 && cell.mailboxDepth === 0) continue;
    const each = cell.activity();
    className ??= each.className;
    awaitsStore ||= each.awaitsStore;
    if (each.awaits !== null && each.awaits.sinceMs < (awaits?.sinceMs ?? Infinity))
      awaits = each.awaits;
    mailboxDepth += each.mailboxDepth;
    if (each.oldestMs !== null) oldestMs = Math.min(oldestMs ?? each.oldestMs, each.oldestMs);
    if (atHand.length < atHandCountMax) atHand.push(...each.atHand);
  }
  const shown = atHand.slice(0, atHandCountMax);
  return { className, atHand: shown, mailboxDepth, oldestMs, awaitsStore, awaits };
}

/**
 * Copies the state of an agent, without what its `redactState` takes out.
 *
 * @param actor An agent or a key.
 * @returns The state; undefined while there is no object of it.
 * @throws AGENTRT_SUPERVISION_NOT_AN_AGENT for what has several states; what `redactState` throws.
 */
export function stateOf(actor: Actor): JsonObject | undefined {
  if (actor instanceof AgentCell) return actor.shownState();
  if (actor instanceof KeyHandle) return actor.cell?.shownState();
  throw new supervisionErrors.NOT_AN_AGENT({ name: actor.name, action: "look into" });
}
