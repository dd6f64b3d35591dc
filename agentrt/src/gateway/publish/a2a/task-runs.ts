import { type AskPorts, askAgent } from "../ask-agent.ts";
import type { GatewayRequest } from "../../request.ts";
import type { SuspensionPorts } from "../suspension-ports.ts";
import { partOf, payloadOf } from "./read-message.ts";
import type { Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** What tasks run over. */
export interface TaskRunsInit {
  readonly ports: AskPorts;
  readonly tasks: TaskStore;
  readonly suspensions: SuspensionPorts | undefined;
  /** Longest time of one, milliseconds. */
  readonly taskTimeoutMs: number;
}

/** The work on tasks. It goes on when the client that began it has gone: another request may ask what became of it. */
export class TaskRuns {
  readonly #init: TaskRunsInit;
  /** Why agents wait for a person, by name; read when the first task runs. */
  #waiting: Map<string, string> | undefined;
  #leave: (() => void) | undefined;

  constructor(init: TaskRunsInit) {
    this.#init = init;
  }

  /** Begins the work on a task. */
  start(task: Task, request: GatewayRequest): void {
    const recipient = task.agent.recipient;
    const reason = typeof recipient === "string" ? this.#reasonOf(recipient) : undefined;
    task.enter("working");
    if (reason !== undefined) task.enter("input-required", reason);
    void this.#run(task, request);
  }

  /** Ends the work on all tasks. */
  close(): void {
    this.#leave?.();
    for (const task of this.#init.tasks.running()) {
      task.enter("failed", "gateway is stopping");
      task.cancelling.abort();
    }
  }

  async #run(task: Task, request: GatewayRequest): Promise<void> {
    const { ports, taskTimeoutMs: timeoutMs } = this.#init;
    const { agent, cancelling, contextId } = task;
    const [message] = task.history;
    try {
      const answer = await askAgent(
        {
          agent,
          payload: payloadOf(message?.parts ?? [], agent.textField),
          request,
          timeoutMs,
          signal: cancelling.signal,
          correlationId: contextId,
          onPart: async (part) => {
            task.enter("working");
            task.add(partOf(part, agent.textField));
          },
        },
        ports,
      );
      if (answer.kind === "failed") return task.enter("failed", answer.error);
      if (answer.kind === "reply") task.add(partOf(answer.reply, agent.textField));
      task.enter("completed");
    } catch (error) {
      ports.log.error("A task could not be worked on", { task: task.id, error });
      task.enter("failed", "internal error");
    }
  }

  #reasonOf(agent: string): string | undefined {
    const { suspensions } = this.#init;
    if (suspensions === undefined) return undefined;
    this.#leave ??= suspensions.onChange((name, reason) => this.#note(name, reason));
    this.#waiting ??= new Map(suspensions.approvals());
    return this.#waiting.get(agent);
  }

  #note(agent: string, reason: string | undefined): void {
    if (reason === undefined) this.#waiting?.delete(agent);
    else this.#waiting?.set(agent, reason);
    for (const task of this.#init.tasks.running()) {
      if (task.agent.recipient !== agent) continue;
      if (reason === undefined) task.enter("working");
      else task.enter("input-required", reason);
    }
  }
}
