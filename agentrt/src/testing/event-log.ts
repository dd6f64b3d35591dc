import { reasonOf, type RuntimeEvent } from "../core/index.ts";

/** What a log watches: a runtime, or anything with its `onEvent`. */
export interface EventSource {
  onEvent(callback: (event: RuntimeEvent) => void): () => void;
}

/** Writes down what happens in a tree, one line an event, so that two runs can be compared. */
export class EventLog {
  readonly #lines: string[] = [];
  readonly #stop: () => void;
  readonly #startMs: number;

  /**
   * @param source The runtime.
   * @param startMs Wall-clock time that is written as 0; default 0.
   */
  constructor(source: EventSource, startMs = 0) {
    this.#startMs = startMs;
    this.#stop = source.onEvent((event) => this.#lines.push(this.#lineOf(event)));
  }

  /** The lines so far: time in milliseconds, event, names, details. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /**
   * Takes the lines so far and begins again.
   *
   * @returns The lines.
   */
  take(): string[] {
    return this.#lines.splice(0);
  }

  /** Ends the watch. */
  close(): void {
    this.#stop();
  }

  #lineOf(event: RuntimeEvent): string {
    const at = `${event.atMs - this.#startMs} ${event.type}`;
    switch (event.type) {
      case "agent.started":
      case "agent.stopped":
        return `${at} ${event.name}`;
      case "agent.crashed":
        return `${at} ${event.name}: ${reasonOf(event.error)}`;
      case "agent.draining":
        return `${at} ${event.name} by ${event.initiatedBy}: ${event.reason}`;
      case "agent.suspended":
        return `${at} ${event.name}: ${event.reason} (${event.category})${event.isDurable ? "" : ", not saved"}`;
      case "agent.halted":
        return `${at} ${event.name} by ${event.initiatedBy}: ${event.reason}${event.isDurable ? "" : ", not saved"}`;
      case "agent.resumed":
        return `${at} ${event.name} by ${event.approver}`;
      case "audit.recorded":
        return `${at} ${event.name} ${event.record.event}`;
      case "approval.requested":
      case "approval.expired":
        return `${at} ${event.name}: ${event.kind}`;
      case "approval.approved":
      case "approval.denied":
        return `${at} ${event.name}: ${event.kind} by ${event.principal}${event.isEdited ? ", edited" : ""}`;
      case "approval.unreadable":
        return `${at} ${event.id ?? event.place}: ${event.reason}`;
      case "agent.late":
        return `${at} ${event.name} after ${event.timeoutMs} ms`;
      case "supervisor.crash":
        return `${at} ${event.supervisor}/${event.child}: ${event.crashesInWindow} in window, restart in ${event.delayMs} ms`;
      case "supervisor.restart":
        return `${at} ${event.supervisor}/${event.child} ${event.strategy}: ${event.children.join(", ")}`;
      case "supervisor.exhausted":
        return `${at} ${event.supervisor}/${event.child}: ${event.isEscalated ? "escalated" : "given up"}`;
      case "dynamic.spawned":
        return `${at} ${event.supervisor}/${event.child} by ${event.spawner}: ${event.agentClass}`;
      case "budget.warning":
      case "budget.exceeded":
      case "budget.reset":
        return `${at} ${event.name}`;
      case "dynamic.terminated":
        return `${at} ${event.supervisor}/${event.child}: ${event.reason}`;
    }
  }
}
