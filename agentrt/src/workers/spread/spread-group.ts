import type { JsonObject, Kernel } from "../../core/index.ts";
import { workerErrors } from "../errors.ts";
import { controlTypes, type Hello, textOf } from "../protocol.ts";
import { readToldCrash } from "../told-crash.ts";
import type { WorkersInit } from "../workers-init.ts";
import { Caretaker } from "./caretaker.ts";
import { SpreadAgent } from "./spread-agent.ts";
import { SpreadKeyed } from "./spread-keyed.ts";
import type { SpreadNode, SpreadSpec } from "./spread-node.ts";
import { SpreadPool } from "./spread-pool.ts";
import { spreadTypes } from "./spread-protocol.ts";
import { SpreadWorker } from "./spread-worker.ts";

/** A process group that several workers may join: its pools and keyed agents are on all of them, each other agent on one. */
export class SpreadGroup {
  readonly process: string;
  readonly #nodes = new Set<SpreadNode>();
  readonly #init: WorkersInit;
  readonly #onCome: (worker: SpreadWorker) => void;
  readonly #workers = new Map<string, SpreadWorker>();
  readonly #caretaker: Caretaker;

  constructor(process: string, init: WorkersInit, onCome: (worker: SpreadWorker) => void) {
    this.process = process;
    this.#init = init;
    const { kernel, openGroupStates, log } = init;
    const open =
      openGroupStates === undefined ? undefined : async () => await openGroupStates(process);
    const { approvals, system } = kernel;
    this.#caretaker = new Caretaker({ approvals, system, log, open });
    this.#onCome = onCome;
    init.channel.onRejoined(() => {
      for (const worker of this.#workers.values()) worker.loseAnswers();
    });
  }

  /** Builds the driver of one of its nodes. @throws AGENTRT_SUPERVISION_DUPLICATE_NAME. */
  add(spec: SpreadSpec, kernel: Kernel): SpreadNode {
    const node = this.#build(spec, kernel);
    this.#nodes.add(node);
    for (const worker of this.#workers.values()) worker.note(spec.name);
    return node;
  }

  /** Its nodes that are in the tree; those that a change has taken out for good are forgotten. */
  get nodes(): readonly SpreadNode[] {
    const { registry } = this.#init.kernel;
    const isThere = (node: SpreadNode): boolean => registry.get(node.name) === node;
    for (const node of this.#nodes) if (node.isRetired && !isThere(node)) this.#nodes.delete(node);
    return [...this.#nodes].filter(isThere);
  }

  #build(spec: SpreadSpec, kernel: Kernel): SpreadNode {
    const { process } = this;
    const nodes = (): readonly SpreadNode[] => this.nodes;
    const { exchange } = this.#init;
    const workers = this.#workers;
    const home = {
      process,
      exchange,
      caretaker: this.#caretaker,
      get workers() {
        return workers.values().filter(({ isThere }) => isThere);
      },
      agentCountOf: (worker: SpreadWorker) =>
        nodes().filter((node) => node instanceof SpreadAgent && node.isAt(worker)).length,
    };
    if (spec.kind === "agent") return new SpreadAgent(kernel, spec, home);
    const { pool, keyed } = spec;
    if (pool !== undefined) return new SpreadPool(kernel, { spec, policy: pool }, home);
    if (keyed !== undefined) return new SpreadKeyed(kernel, { spec, policy: keyed }, home);
    throw new TypeError(`${spec.name} is neither a pool nor a keyed agent`);
  }

  /** All labels that workers of it have had: what they have counted is kept by them. */
  readonly labels = new Set<string>();
  /** The workers that are there. */
  get workers(): readonly SpreadWorker[] {
    return [...this.#workers.values()].filter(({ isThere, isLeaving }) => isThere && !isLeaving);
  }

  /** A worker has registered. */
  welcome({ processId, isLeaving }: Hello, payload: JsonObject): void {
    const known = this.#workers.get(processId);
    const worker = known ?? this.#make(processId);
    if (isLeaving) this.#leave(worker);
    if (known === undefined) worker.start();
    else if (worker.isThere && !worker.isLeaving) {
      worker.welcome(payload);
      this.#join(worker);
    }
  }

  /** True for a worker that has registered. */
  has(processId: string): boolean {
    return this.#workers.has(processId);
  }

  #join(worker: SpreadWorker): void {
    for (const node of this.nodes) node.join(worker, worker.parts.get(node.name));
  }

  #make(processId: string): SpreadWorker {
    const { channel, log } = this.#init;
    const { system } = this.#init.kernel;
    const taken = new Set([...this.#workers.values()].map((each) => each.label));
    let number = 1;
    while (taken.has(`${this.process}/${number}`)) number += 1;
    const label = `${this.process}/${number}`;
    const worker: SpreadWorker = new SpreadWorker({
      system,
      channel,
      log,
      label,
      processId,
      onThere: () => {
        this.labels.add(label);
        log.info("a worker is there", { process: label, process_id: processId });
        this.#join(worker);
        if (!worker.isLeaving) this.#onCome(worker);
      },
      onHeard: () => {
        for (const node of this.nodes) node.hear(worker, worker.parts.get(node.name));
      },
      onSilent: () => this.#lose(worker, "it does not answer", worker.leaseEndMs),
    });
    this.#workers.set(processId, worker);
    return worker;
  }

  /** Takes what a worker says. */
  take(type: string, payload: JsonObject): void {
    const worker = this.#workers.get(textOf(payload["process_id"]));
    if (worker === undefined) return;
    const name = textOf(payload["name"]);
    const node = this.nodes.find((each) => each.name === name);
    const nowMs = this.#init.kernel.system.monotonicMs();
    if (type === controlTypes.deregister) this.#leave(worker);
    else if (type === spreadTypes.gone) this.#lose(worker, undefined, nowMs);
    else if (type === controlTypes.news) worker.hear(payload);
    else if (type === spreadTypes.lost) node?.free(worker, nowMs);
    else if (type === controlTypes.exit) {
      const error = readToldCrash(payload);
      node?.exit(worker, error);
    }
  }

  /** It finishes what it has, and gives that up; it gets nothing else. */
  #leave(worker: SpreadWorker): void {
    if (worker.isLeaving) return;
    worker.isLeaving = true;
    const { label: process, processId: process_id } = worker;
    this.#init.log.info("a worker stops: it gives up what it has", { process, process_id });
    for (const node of this.nodes) node.leave(worker);
  }

  /** @param reason Undefined for one that was stopped. */
  #lose(worker: SpreadWorker, reason: string | undefined, freeAtMs: number): void {
    const { label: process, processId } = worker;
    if (!this.#workers.delete(processId)) return;
    worker.hasStopped = reason === undefined;
    worker.lose(reason ?? "it was stopped");
    if (!worker.isThere) return;
    const { log } = this.#init;
    const fields = { process, process_id: processId };
    if (reason === undefined) log.info("a worker has stopped", fields);
    else log.error("a worker is gone", { ...fields, reason });
    for (const node of this.nodes) node.free(worker, freeAtMs);
    this.#init.exchange.failRequestsTo(processId);
    this.#init.onLost(processId);
  }

  /** Asks no more. */
  end(): void {
    for (const worker of this.#workers.values()) worker.end();
  }

  /** Closes what it has opened, until a monotonic time at the latest. */
  async close(untilMs: number): Promise<void> {
    await this.#caretaker.close(untilMs);
  }

  /** @returns The worker of a label. @throws AGENTRT_WORKER_AWAY. */
  labelled(label: string, agent: string): SpreadWorker {
    const found = this.workers.find((each) => each.label === label);
    if (found === undefined) throw new workerErrors.AWAY({ agent, process: this.process });
    return found;
  }
}
