import { Worker } from "node:worker_threads";
import type { WalkedFile } from "../../files/index.ts";
import { sharedTokenTable } from "../../model/index.ts";
import { registerGrammars } from "../../syntax/index.ts";
import { threadModule } from "../../system/index.ts";
import type { GatheredFile, GatherOptions } from "./batch.ts";
import type { RunMaker } from "./run-maker.ts";
import type { GatherAnswer, GatherRequest, GatherWorkerData } from "./worker.ts";

/** Threads that make runs. */
export class GatherPool implements RunMaker {
  readonly #idle: GatherThread[];
  readonly #all: readonly GatherThread[];
  readonly width: number;

  constructor({ chunkSizeCharacters, fileSizeBytesMax }: GatherOptions, threadCount: number) {
    // The native library registers its grammars once for a process, not for each thread.
    registerGrammars();
    const data: GatherWorkerData = {
      chunkSizeCharacters,
      fileSizeBytesMax,
      table: sharedTokenTable(),
    };
    this.width = threadCount;
    this.#all = Array.from({ length: threadCount }, () => new GatherThread(data));
    this.#idle = [...this.#all];
  }

  async run(files: readonly WalkedFile[], directory: string): Promise<(GatheredFile | null)[]> {
    const thread = this.#idle.pop();
    if (thread === undefined) throw new Error("no thread is idle");
    const answer = await thread.ask({ files, directory });
    this.#idle.push(thread);
    if ("gathered" in answer) return [...answer.gathered];
    const { message, code } = answer.failure;
    throw Object.assign(new Error(message), code === undefined ? {} : { code });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.end()));
  }
}

/** A thread, and the one request that it works on. */
class GatherThread {
  readonly #worker: Worker;
  #settle: { resolve(answer: GatherAnswer): void; reject(error: unknown): void } | undefined;
  #fault: unknown;

  constructor(data: GatherWorkerData) {
    this.#worker = new Worker(threadModule() ?? moduleBeside(), { workerData: data });
    this.#worker.on("message", (answer: GatherAnswer) => this.#settle?.resolve(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", (code) =>
      this.#fail(new Error(`a thread of the index ended with ${code}`)),
    );
  }

  async ask(request: GatherRequest): Promise<GatherAnswer> {
    if (this.#fault !== undefined) throw this.#fault;
    return await new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#fault ??= error;
    this.#settle?.reject(this.#fault);
  }
}

/** The entry file of a thread: next to this source file; in a built package two folders away. */
function moduleBeside(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./worker-main.ts" : "../store/gather/worker-main.js", import.meta.url);
}
