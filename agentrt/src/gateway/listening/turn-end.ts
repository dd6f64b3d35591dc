import type { System } from "../../core/index.ts";

/** Something to be done at the end of a turn of the event loop. */
export interface TurnTask {
  /** Must not throw: others come after it. */
  onTurnEnd(): void;
}

/** Does what was asked for in one turn of the event loop together, when all that had come in it is read. */
export class TurnEnd {
  readonly #system: System;
  #tasks: TurnTask[] = [];

  constructor(system: System) {
    this.#system = system;
  }

  /** Asks for a task, once. */
  add(task: TurnTask): void {
    this.#tasks.push(task);
    if (this.#tasks.length === 1) this.#system.yieldTurn(this.#run);
  }

  readonly #run = (): void => {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) task.onTurnEnd();
  };
}
