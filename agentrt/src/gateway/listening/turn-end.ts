import type { System } from "../../core/index.ts";

/** Something to be done at the end of a turn of the event loop. */
export interface TurnTask {
  /** Must not throw, because other tasks run after it. */
  onTurnEnd(): void;
}

/** Runs tasks together at the end of a turn of the event loop, after all input of that turn was read. */
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
