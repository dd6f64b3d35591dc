import type { System } from "../../../core/index.ts";
import type { PublishLimits } from "../publish-options.ts";
import { rpcCodes, RpcFault } from "./rpc-fault.ts";
import { Task, type TaskInit, type TaskState } from "./task.ts";

/** Which tasks are wanted. */
export interface TaskFilter {
  readonly owner: string;
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Name of the agent. Default any. */
  readonly agent?: string | undefined;
}

/** The tasks of one gateway, within bounds: what is over is forgotten by its age, and where room is needed. */
export class TaskStore {
  readonly #system: System;
  readonly #limits: PublishLimits;
  /** In the order in which they began. */
  readonly #tasks = new Map<string, Task>();

  constructor(system: System, limits: PublishLimits) {
    this.#system = system;
    this.#limits = limits;
  }

  /**
   * Begins a task.
   *
   * @throws RpcFault when there is no room.
   */
  begin(init: Omit<TaskInit, "id" | "system">): Task {
    this.#makeRoom();
    const task = new Task({ ...init, id: this.#system.nextTraceId(), system: this.#system });
    this.#tasks.set(task.id, task);
    return task;
  }

  /**
   * Finds a task of a client.
   *
   * @throws RpcFault where it is not there, or not the client's.
   */
  get(id: string | undefined, { owner, agent }: TaskFilter): Task {
    const task = this.#tasks.get(id ?? "");
    const isTheirs = task?.owner === owner && (agent === undefined || task.agent.name === agent);
    if (task === undefined || !isTheirs || this.#isOld(task))
      throw new RpcFault(rpcCodes.taskNotFound, "there is no such task");
    return task;
  }

  /** The tasks of a client, those first that changed last. */
  list({ owner, contextId, state, agent }: TaskFilter): Task[] {
    return [...this.#tasks.values()]
      .filter(
        (task) =>
          task.owner === owner &&
          (contextId === undefined || task.contextId === contextId) &&
          (state === undefined || task.state === state) &&
          (agent === undefined || task.agent.name === agent) &&
          !this.#isOld(task),
      )
      .reverse()
      .sort((first, second) => second.changedAtMs - first.changedAtMs);
  }

  /** All that is not over. */
  *running(): Generator<Task> {
    for (const task of this.#tasks.values()) if (!task.isOver) yield task;
  }

  #isOld({ isOver, changedAtMs }: Task): boolean {
    return isOver && this.#system.nowMs() - changedAtMs >= this.#limits.taskAgeMsMax;
  }

  #makeRoom(): void {
    if (this.#tasks.size < this.#limits.taskCountMax) return;
    for (const task of this.#tasks.values()) if (this.#isOld(task)) this.#tasks.delete(task.id);
    if (this.#tasks.size < this.#limits.taskCountMax) return;
    const over = [...this.#tasks.values()].filter(({ isOver }) => isOver);
    const [first] = over.sort((one, other) => one.changedAtMs - other.changedAtMs);
    if (first === undefined)
      throw new RpcFault(rpcCodes.internal, "there is no room for another task: come again later");
    this.#tasks.delete(first.id);
  }
}
