import { Worker } from "node:worker_threads";
import { reasonOf } from "../../core/index.ts";
import type { WriterAnswer, WriterData, WriterRequest } from "./writer-messages.ts";

/** What a thread is made of. */
interface FilesThreadInit {
  /** Asked for when the thread starts: with the first request. */
  readonly data: () => WriterData;
  /** Makes the error of a request that failed. */
  readonly failed: (reason: string) => Error;
}

/** A thread that runs. */
interface RunningThread {
  readonly worker: Worker;
  /** Those who wait for an answer of it, in the order of their requests. */
  readonly waiting: PromiseWithResolvers<WriterAnswer>[];
}

/** A thread that answers requests about the files of a folder, one after another. */
export class FilesThread {
  readonly #init: FilesThreadInit;
  /** Another one starts where it has failed: the one before may not have ended by then. */
  #running: RunningThread | undefined;

  constructor(init: FilesThreadInit) {
    this.#init = init;
  }

  /** Requests that wait for their answers. */
  get waitingCount(): number {
    return this.#running?.waiting.length ?? 0;
  }

  /** @throws What the thread failed with, as `failed` makes it. */
  async ask(request: WriterRequest): Promise<WriterAnswer> {
    const { worker, waiting } = (this.#running ??= this.#start());
    const asked = Promise.withResolvers<WriterAnswer>();
    waiting.push(asked);
    // While something is to be done the process lives.
    worker.ref();
    worker.postMessage(request);
    const answer = await asked.promise;
    if (answer.failure !== undefined) throw this.#init.failed(answer.failure);
    return answer;
  }

  /**
   * Ends it. What waits fails.
   *
   * @param last Asked before, where it runs.
   */
  async end(last?: WriterRequest): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    if (last !== undefined) await this.ask(last);
    if (this.#running === running) this.#running = undefined;
    await running.worker.terminate();
  }

  #start(): RunningThread {
    const worker = new Worker(moduleBeside(), { workerData: this.#init.data(), execArgv: [] });
    worker.unref();
    const waiting: RunningThread["waiting"] = [];
    const running = { worker, waiting };
    worker.on("message", (answer: WriterAnswer) => {
      waiting.shift()?.resolve(answer);
      if (waiting.length === 0) worker.unref();
    });
    const onGone = (error: unknown): void => {
      if (this.#running === running) this.#running = undefined;
      for (const asked of waiting.splice(0)) asked.reject(this.#init.failed(reasonOf(error)));
    };
    worker.on("error", onGone);
    worker.on("exit", (code) => onGone(new Error(`its thread ended with ${code}`)));
    return running;
  }
}

/** Two levels below the package, as the sources are and the chunks of a build. */
function moduleBeside(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(
    isSource ? "./writer-main.ts" : "../telemetry/sqlite/writer-main.js",
    import.meta.url,
  );
}
