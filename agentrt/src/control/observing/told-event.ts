import {
  agentErrors,
  type JsonObject,
  type JsonValue,
  type Redactor,
  type RuntimeEvent,
} from "../../core/index.ts";
import { budgetBody } from "../budget-body.ts";
import type { CrashBook } from "./crash-book.ts";
import type { HistoryEntry } from "./history-book.ts";

/** Something that happened, as watchers see it. */
export interface ToldEvent {
  /** `agent.crashed` and the like. */
  readonly type: string;
  /** Whom it is about; null for nobody. */
  readonly agent: string | null;
  /** Has `type`, `agent` and `timestamp`, too. */
  readonly body: JsonObject;
  /** Under which name the same is in the history of that agent; undefined where it is not, or where others are in it. */
  readonly entry?: string | undefined;
}

/** What watchers see of an event, and what of it belongs into whose history. */
export interface Told {
  readonly event: ToldEvent;
  readonly entries: readonly (readonly [agent: string, entry: HistoryEntry])[];
}

/** Tells of the events of one tree, in order. */
export class EventTeller {
  readonly #crashes: CrashBook;
  readonly #redactor: Redactor;
  /** What agents ended with because somebody asked for their restart: their supervisors tell of it once more. */
  readonly #asked = new WeakSet<object>();
  #hiddenRoot: string | undefined;

  /**
   * @param crashes Gives an id to each crash.
   * @param redactor Takes secrets out of texts.
   */
  constructor(crashes: CrashBook, redactor: Redactor) {
    this.#crashes = crashes;
    this.#redactor = redactor;
  }

  /**
   * Says no more of what this supervisor does: it stands for that of another process, which says what becomes of its
   * children.
   *
   * @param name Of the root of a worker.
   */
  hideRoot(name: string): void {
    this.#hiddenRoot = name;
  }

  /** @returns What watchers see of an event; undefined for one that they have seen already. */
  tell(event: RuntimeEvent): Told | undefined {
    const isHidden = "supervisor" in event && event.supervisor === this.#hiddenRoot;
    if (isHidden) return this.#crashedBelow(event);
    switch (event.type) {
      case "agent.started":
        return told(event, event.name, { entry: "started" });
      case "agent.stopped":
        return told(event, event.name, { entry: "stopped" });
      case "agent.crashed":
        return this.#crashed(event);
      case "agent.draining": {
        const fields = { reason: event.reason, initiated_by: event.initiatedBy };
        return told(event, event.name, { fields, entry: "draining" });
      }
      case "agent.suspended": {
        const { reason, category, initiatedBy, isDurable, isDrained } = event;
        const fields = {
          reason,
          category,
          initiated_by: initiatedBy,
          durable: isDurable,
          ...(isDrained ? { drained: true } : {}),
        };
        return told(event, event.name, { fields, entry: "suspended" });
      }
      case "agent.halted":
        return halted(event);
      case "agent.resumed": {
        const { approver, goneApprovals } = event;
        const gone = goneApprovals === undefined ? {} : { gone_approvals: [...goneApprovals] };
        return told(event, event.name, { fields: { approver, ...gone }, entry: "resumed" });
      }
      case "audit.recorded": {
        const { event: recorded, agent, details } = event.record;
        return told(event, agent, { fields: { event: recorded, details } });
      }
      case "agent.late": {
        const fields = { timeout_seconds: event.timeoutMs / 1000 };
        return told(event, event.name, { fields, entry: "late" });
      }
      case "supervisor.crash":
      case "supervisor.exhausted":
        return this.#reported(event);
      case "supervisor.restart":
        return restarted(event);
      case "dynamic.spawned":
      case "dynamic.terminated": {
        const isSpawned = event.type === "dynamic.spawned";
        const { supervisor, spawner } = event;
        const more = isSpawned ? { class: event.agentClass } : { reason: event.reason };
        const fields = { supervisor, spawner, ...more };
        return told(event, event.child, { fields, entry: isSpawned ? "spawned" : "terminated" });
      }
      case "budget.warning":
      case "budget.reset":
        return told(event, event.name, { fields: { budget: { ...budgetBody(event.budget) } } });
      case "budget.exceeded": {
        const fields = { name: event.name, budget: { ...budgetBody(event.budget) } };
        return told(event, event.agent, { fields });
      }
      default:
        return this.#other(event);
    }
  }

  #crashed(event: RuntimeEvent & { readonly type: "agent.crashed" }): Told | undefined {
    const { name, atMs, error, message, record, shown } = event;
    const id = this.#crashes.add({ agent: name, atMs, error, message, record, shown });
    if (id === undefined) {
      this.#asked.add(error as object);
      return this.#hiddenRoot === undefined ? askedFor(name, atMs, error) : undefined;
    }
    const fields = { crash_id: id, ...this.#shown(name, error), message_id: message?.id ?? null };
    return told(event, name, { fields, entry: "crashed" });
  }

  /** A start that failed is a crash which no event of the agent tells. */
  #crashedBelow(event: RuntimeEvent): Told | undefined {
    if (event.type !== "supervisor.crash" && event.type !== "supervisor.exhausted")
      return undefined;
    const { child, atMs, error } = event;
    const { id, isNew } = this.#crashes.idOf({ agent: child, atMs, error });
    if (id === undefined || !isNew) return undefined;
    const fields = { crash_id: id, ...this.#shown(child, error), message_id: null };
    return told({ type: "agent.crashed", atMs }, child, { fields, entry: "crashed" });
  }

  #reported(
    event: RuntimeEvent & { readonly type: "supervisor.crash" | "supervisor.exhausted" },
  ): Told | undefined {
    const { child, atMs, error, supervisor } = event;
    const { id, isNew } = this.#crashes.idOf({ agent: child, atMs, error });
    if (id === undefined) {
      if (this.#asked.has(error as object)) return undefined;
      return askedFor(child, atMs, error);
    }
    const shown = { supervisor, crash_id: id, ...this.#shown(child, error) };
    if (event.type === "supervisor.exhausted") {
      const fields = { ...shown, escalated: event.isEscalated };
      return told(event, child, { fields, entry: "given_up" });
    }
    const { crashesInWindow, delayMs } = event;
    const fields = {
      ...shown,
      crashes_in_window: crashesInWindow,
      delay_seconds: Math.round(delayMs) / 1000,
    };
    return told(event, child, isNew ? { fields, entry: "crashed" } : { fields });
  }

  #shown(agent: string, error: unknown): JsonObject {
    const { code, name, message, at } = this.#crashes.causeOf(agent, error);
    return { reason: code ?? name, message, at };
  }

  /** Events that other parts add: their plain members, and nothing that is nested. */
  #other(event: { readonly type: string; readonly atMs: number }): Told {
    const fields: { [name: string]: JsonValue } = {};
    for (const [name, value] of Object.entries(event)) {
      if (name === "type" || name === "atMs") continue;
      const shown = typeof value === "string" ? this.#redactor.text(value) : value;
      if (["string", "number", "boolean"].includes(typeof shown))
        fields[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = shown;
    }
    const { agent, name, child, ...rest } = fields;
    const about = [agent, name, child].find((each) => typeof each === "string");
    return told(event, about ?? null, { fields: rest, entry: event.type });
  }
}

function told(
  event: { readonly type: string; readonly atMs: number },
  agent: string | null,
  { fields = {}, entry }: { readonly fields?: JsonObject; readonly entry?: string },
): Told {
  const timestamp = event.atMs / 1000;
  const { type } = event;
  const body = { type, agent, timestamp, ...fields };
  const isKept = entry !== undefined && agent !== null;
  const entries = isKept ? [[agent, { event: entry, timestamp, ...fields }] as const] : [];
  return { event: { type, agent, body, entry: isKept ? entry : undefined }, entries };
}

function halted(event: RuntimeEvent & { readonly type: "agent.halted" }): Told {
  const { name, reason, initiatedBy, sinceMs, isDurable, isFound } = event;
  const fields = {
    reason,
    initiated_by: initiatedBy,
    since: sinceMs / 1000,
    durable: isDurable,
    found: isFound,
  };
  return told(event, name, { fields, entry: "halted" });
}

function askedFor(agent: string, atMs: number, error: unknown): Told {
  const details = error instanceof agentErrors.RESTART_REQUESTED ? error.details : undefined;
  const initiatedBy = details?.initiatedBy ?? null;
  const event = { type: "agent.restart_requested", atMs };
  return told(event, agent, { fields: { initiated_by: initiatedBy }, entry: "restart_requested" });
}

function restarted(event: RuntimeEvent & { readonly type: "supervisor.restart" }): Told {
  const { supervisor, child, children, restartCount, crashesInWindow, strategy, atMs } = event;
  const fields = {
    supervisor,
    restart_count: restartCount,
    crashes_in_window: crashesInWindow,
    strategy,
    children: [...children],
  };
  const timestamp = atMs / 1000;
  const entries = children.map((name) => {
    const because = name === child ? { restart_count: restartCount } : { because_of: child };
    return [name, { event: "restarted", timestamp, supervisor, ...because }] as const;
  });
  return { ...told(event, child, { fields }), entries };
}
