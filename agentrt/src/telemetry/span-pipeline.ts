import type { Log, RuntimeEvent, System, Tracer, Redactor } from "../core/index.ts";
import type { SpanExporter } from "./span-exporter.ts";
import { SpanQueue } from "./span-queue.ts";
import type { SpanRecord } from "./span-record.ts";
import { SpanTracer } from "./span-tracer.ts";

/** From the tracer to the exporters: what a runtime with exporters has. */
export class SpanPipeline {
  readonly #tracer: SpanTracer;
  readonly #queue: SpanQueue;

  /**
   * @param init.exporters Where the spans go; each gets every span.
   * @param init.redactor Takes secrets out of the texts of spans.
   */
  constructor(init: {
    readonly system: System;
    readonly log: Log;
    readonly exporters: readonly SpanExporter[];
    readonly redactor: Redactor;
  }) {
    this.#queue = new SpanQueue(init);
    this.#tracer = new SpanTracer(init.system, (record) =>
      this.#queue.add(withoutSecrets(record, init.redactor)),
    );
  }

  /** What the kernel tells its spans. */
  get tracer(): Tracer {
    return this.#tracer;
  }

  /** Takes an event of the tree: starts, stops, restarts and suspensions are spans too. */
  accept(event: RuntimeEvent): void {
    const { atMs } = event;
    switch (event.type) {
      case "agent.started":
        return this.#tracer.addMoment("agentrt.agent.start", {
          atMs,
          attributes: { "agentrt.agent.name": event.name },
        });
      case "agent.stopped":
      case "agent.crashed": {
        const isCrash = event.type === "agent.crashed";
        const final = isCrash ? "CRASHED" : "STOPPED";
        return this.#tracer.addMoment("agentrt.agent.stop", {
          atMs,
          attributes: { "agentrt.agent.name": event.name, "agentrt.agent.final_status": final },
          ...(isCrash ? { error: event.error } : {}),
        });
      }
      case "agent.suspended":
        return this.#tracer.addMoment("agentrt.agent.suspend", {
          atMs,
          attributes: { "agentrt.agent.name": event.name, "agentrt.suspend.reason": event.reason },
        });
      case "agent.resumed":
        return this.#tracer.addMoment("agentrt.agent.resume", {
          atMs,
          attributes: {
            "agentrt.agent.name": event.name,
            "agentrt.resume.approver": event.approver,
          },
        });
      case "supervisor.restart":
        return this.#tracer.addMoment("supervisor.restart", {
          atMs,
          attributes: {
            supervisor: event.supervisor,
            child: event.child,
            restart_count: event.restartCount,
            crashes_in_window: event.crashesInWindow,
            strategy: event.strategy,
          },
        });
      default:
    }
  }

  /** Hands over what waits and shuts the exporters down, within two seconds. */
  async shutdown(): Promise<void> {
    await this.#queue.shutdown();
  }
}

function withoutSecrets(record: SpanRecord, redactor: Redactor): SpanRecord {
  const attributes = Object.fromEntries(
    Object.entries(record.attributes).map(([key, value]) => [
      key,
      typeof value === "string" ? redactor.text(value) : value,
    ]),
  );
  const { errorMessage } = record;
  return {
    ...record,
    name: redactor.text(record.name),
    attributes,
    errorMessage: errorMessage === null ? null : redactor.text(errorMessage),
  };
}
