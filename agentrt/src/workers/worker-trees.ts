import { type JsonObject, type Log, reasonOf } from "../core/index.ts";
import type { ControlChannel } from "../links/index.ts";
import type { PreparedTree, SentTree, TreeFiles, TreesElsewhere } from "../runtime/index.ts";
import { workerErrors } from "./errors.ts";
import { controlTypes, type Hello, readAgents, workersTopic } from "./protocol.ts";
import { treePayload } from "./tree-payload.ts";

/** How long a worker may take for its part: its agents stop and start in it, milliseconds. */
const changeTimeoutMs = 300_000;
/** Earlier trees that are known: workers of one of them get the latest. */
const knownCountMax = 100;

/** A worker whose part of a tree is changed. */
export interface ChangedWorker {
  /** For messages: its process group, or its label. */
  readonly label: string;
  /** True while it is there. */
  readonly isThere: boolean;
  ask(type: string, payload: JsonObject, timeoutMs: number): Promise<JsonObject>;
  /** Its agents are those of another tree, of which these are in its process group, and do that. */
  beginChange(hosted: Hello["agents"], groups: SentTree["groups"]): void;
  /** That is kept, or taken back. */
  endChange(): void;
}

/** What it is made from. */
export interface WorkerTreesInit {
  readonly channel: ControlChannel;
  readonly log: Log;
  /** The tree that runs; without its files no other process gets it. */
  readonly tree: Pick<TreeFiles, "hash"> & { readonly files?: TreeFiles["files"] | undefined };
  /** The workers that are there. */
  readonly workers: () => readonly ChangedWorker[];
  /** Takes the names of all agents, whose messages a broker may keep. */
  readonly nameAgents: (names: ReadonlySet<string>) => void;
}

/** The tree that workers have a part of, and how they come to have another one: all of them, or none. */
export class WorkerTrees implements TreesElsewhere {
  readonly #init: WorkerTreesInit;
  readonly #known = new Set<string>();
  #tree: WorkerTreesInit["tree"];
  #isChanging = false;

  constructor(init: WorkerTreesInit) {
    this.#init = init;
    this.#tree = init.tree;
  }

  /** Tells trees apart. */
  get hash(): string {
    return this.#tree.hash;
  }

  /** True while another tree is put in place: a worker that comes has to wait. */
  get isChanging(): boolean {
    return this.#isChanging;
  }

  /** @returns Whether it is the tree that runs, or was. */
  hasHad(hash: string): boolean {
    return hash === this.hash || this.#known.has(hash);
  }

  /** @returns The tree that runs, as an answer; undefined where its files are not known. */
  get payload(): JsonObject | undefined {
    const { hash, files } = this.#tree;
    return files === undefined ? undefined : treePayload({ hash, files });
  }

  /** @returns The tree that such a worker has to take before it is one; undefined for one that has it, or another topology. */
  treeFor({ topologyHash, knownHashes }: Hello): JsonObject | undefined {
    const isOlder = this.hasHad(topologyHash) || knownHashes.includes(this.hash);
    return topologyHash !== this.hash && isOlder ? this.payload : undefined;
  }

  /** {@inheritDoc TreesElsewhere.prepare} */
  async prepare(tree: SentTree): Promise<PreparedTree> {
    this.#isChanging = true;
    const workers = this.#init.workers();
    const payload = treePayload(tree);
    const results = await Promise.allSettled(
      workers.map(async (worker) => {
        const answer = await worker.ask(controlTypes.tree, payload, changeTimeoutMs);
        worker.beginChange(readAgents(answer), tree.groups);
      }),
    );
    for (const [index, result] of results.entries()) {
      const worker = workers[index];
      // One that has gone meanwhile gets its part when it is back.
      if (result.status === "fulfilled" || worker?.isThere !== true) continue;
      await this.#drop(workers);
      const reason = reasonOf(result.reason);
      throw new workerErrors.NOT_CHANGED(
        { process: worker.label, reason },
        { cause: result.reason },
      );
    }
    return {
      commit: async () => await this.#keep(tree, workers),
      abort: async () => await this.#drop(workers),
    };
  }

  async #keep(tree: SentTree, workers: readonly ChangedWorker[]): Promise<readonly string[]> {
    const { channel, nameAgents } = this.#init;
    this.#known.add(this.hash);
    const [oldest] = this.#known;
    if (this.#known.size > knownCountMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.delete(tree.hash);
    this.#tree = { hash: tree.hash, files: tree.files };
    nameAgents(tree.agentNames);
    const late: string[] = [];
    await this.#end(workers, async (worker) => {
      const answer = await worker.ask(controlTypes.keepTree, {}, changeTimeoutMs);
      if (Array.isArray(answer["late"])) late.push(...answer["late"].map(String));
    });
    // Whoever has come meanwhile, or has not heard of it, registers with the tree that it has.
    channel.tell(workersTopic, { type: controlTypes.register, payload: {} });
    return late;
  }

  async #drop(workers: readonly ChangedWorker[]): Promise<void> {
    await this.#end(workers, async (worker) => {
      await worker.ask(controlTypes.dropTree, {}, changeTimeoutMs);
    });
  }

  async #end(
    workers: readonly ChangedWorker[],
    act: (worker: ChangedWorker) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      workers.map(async (worker) => {
        if (!worker.isThere) return;
        try {
          await act(worker);
        } catch (error) {
          const text = "a worker was not there at the end of a change of the tree";
          this.#init.log.warn(text, { process: worker.label, error });
        } finally {
          worker.endChange();
        }
      }),
    );
    this.#isChanging = false;
  }
}
