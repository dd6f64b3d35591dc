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

/** A thread that answers requests about the files of a folder, one after another. */
export class FilesThread {
  readonly #init: FilesThreadInit;
  #worker: Worker | undefined;
  /** Those who wait for an answer, in the order of their requests. */
  #waiting: PromiseWithResolvers<WriterAnswer>[] = [];

  constructor(init: FilesThreadInit) {
    this.#init = init;
  }

  /** Requests that wait for their answers. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** @throws What the thread failed with, as `failed` makes it. */
  async ask(request: WriterRequest): Promise<WriterAnswer> {
    const worker = (this.#worker ??= this.#start());
    const waiting = Promise.withResolvers<WriterAnswer>();
    this.#waiting.push(waiting);
    // While something is to be done the process lives.
    worker.ref();
    worker.postMessage(request);
    const answer = await waiting.promise;
    if (answer.failure !== undefined) throw this.#init.failed(answer.failure);
    return answer;
  }

  /**
   * Ends it. What waits fails.
   *
   * @param last Asked before, where it runs.
   */
  async end(last?: WriterRequest): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    if (last !== undefined) await this.ask(last);
    this.#worker = undefined;
    await worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(moduleBeside(), { workerData: this.#init.data(), execArgv: [] });
    worker.unref();
    worker.on("message", (answer: WriterAnswer) => {
      this.#waiting.shift()?.resolve(answer);
      if (this.#waiting.length === 0) worker.unref();
    });
    const onGone = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = undefined;
      const { length } = this.#waiting;
      for (const waiting of this.#waiting.splice(0, length))
        waiting.reject(this.#init.failed(reasonOf(error)));
    };
    worker.on("error", onGone);
    worker.on("exit", (code) => onGone(new Error(`its thread ended with ${code}`)));
    return worker;
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
