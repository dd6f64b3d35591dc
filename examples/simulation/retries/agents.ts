import { Agent, type ErrorAction, type Message } from "agentrt";

/** Does a piece of work; every third attempt of it fails, and is tried again. */
export class Worker extends Agent {
  #attempts = 0;

  override handle(_message: Message) {
    this.#attempts += 1;
    if (this.#attempts % 3 === 0) throw new Error("the work failed for a while");
    return { done: this.#attempts };
  }

  override onError(error: unknown, message: Message): ErrorAction {
    if (message.attempt > 1) return "skip";
    return error instanceof Error && error.message.includes("for a while") ? "retry" : "escalate";
  }
}

/** Asks one worker after the other until one answers. */
export class Client extends Agent {
  override async handle() {
    for (const worker of ["worker-1", "worker-2", "worker-3"]) {
      try {
        return await this.call(worker, {}, { timeoutMs: 2000 });
      } catch (error) {
        this.log.info("worker did not answer", { worker, error });
      }
    }
    return { done: 0 };
  }
}
