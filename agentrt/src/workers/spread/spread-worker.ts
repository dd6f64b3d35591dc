import type { JsonObject, Log, System, TimerHandle } from "../../core/index.ts";
import { type ControlChannel, linkErrors } from "../../links/index.ts";
import { workerErrors } from "../errors.ts";
import { controlTypes, type Hello, readAgents, textOf, workerTopic } from "../protocol.ts";
import { type HostedPart, leaseMs, readParts, spreadTypes } from "./spread-protocol.ts";

/** How often such a worker is asked whether it is there, and how long its answer may take, milliseconds. */
export const spreadIntervalMs = 2000;
const timeoutMs = 2000;
/** Answers that may be missing: it is asked again at once. */
const missedMax = 2;
/** What a worker may be asked twice: that changes nothing. */
const repeatable: ReadonlySet<string> = new Set([
  spreadTypes.place,
  spreadTypes.take,
  spreadTypes.release,
  spreadTypes.keep,
]);

/** What the supervisor's process needs to speak with one worker of several. */
export interface SpreadWorkerInit {
  readonly system: System;
  readonly channel: ControlChannel;
  readonly log: Log;
  /** Name of its group, and its number among those of the group: `heavy/1`. */
  readonly label: string;
  readonly processId: string;
  /** Called with its second answer: only then it is known that it hears, too, and has a lease. */
  readonly onThere: () => void;
  /** Called with each other answer, when it is known what it says. */
  readonly onHeard: () => void;
  /** Called when it does not answer any more. */
  readonly onSilent: () => void;
}

/** One worker of a group that several may join, as the supervisor's process sees it. */
export class SpreadWorker {
  readonly label: string;
  readonly processId: string;
  /** What its agents do, by name. */
  agents: Hello["agents"] = {};
  /** What it said of its parts last, by node. */
  parts: ReadonlyMap<string, HostedPart> = new Map();
  /** Nodes that do not run there. */
  readonly down = new Set<string>();
  /** True once it has answered twice. */
  isThere = false;
  /** True once it has said that it stops. */
  isLeaving = false;
  /** True once it has said that nothing of it runs any more. */
  hasStopped = false;
  /** What of a change of the tree is done there, but not kept yet. */
  #change:
    | { readonly groups: ReadonlyMap<string, string>; readonly fresh: Set<string> }
    | undefined;
  readonly #init: SpreadWorkerInit;
  /** When it was heard of last: it has handed in its keys when the lease since then is over. */
  #heardAtMs: number;
  /** Number of the latest probe that it has answered. */
  #heardNumber = 0;
  #probeNumber = 0;
  #answerCount = 0;
  #timer: TimerHandle | undefined;
  #missedCount = 0;
  #isEnded = false;
  /** Each ends a question that may be asked again. */
  readonly #repeats = new Set<() => void>();

  constructor(init: SpreadWorkerInit) {
    this.#init = init;
    this.label = init.label;
    this.processId = init.processId;
    this.#heardAtMs = init.system.monotonicMs();
  }

  /** Asks whether it is there, from now on again and again. */
  start(): void {
    void this.#probe();
  }

  /** Monotonic time from which it handles no key any more, unless it is heard of again. */
  get leaseEndMs(): number {
    return this.#heardAtMs + leaseMs;
  }

  /** It has registered again: it speaks, which does not say that it hears. */
  welcome(payload: JsonObject): void {
    this.#noteParts(payload);
    this.loseAnswers();
  }

  /** A connection was cut: what was asked before, or its answer, may be lost. What may be asked again fails, so that it is. */
  loseAnswers(): void {
    for (const lose of this.#repeats) lose();
  }

  /** Takes what it says of its agents. */
  hear(payload: JsonObject): void {
    this.agents = readAgents(payload);
    this.parts = readParts(payload);
  }

  /**
   * Asks it something.
   *
   * @throws As `ControlChannel.ask`; AGENTRT_WORKER_AWAY when it is gone, AGENTRT_WORKER_LOST when it goes before it answers,
   *   AGENTRT_LINK_CUT for what may be asked again and was perhaps lost.
   */
  async ask(type: string, payload: JsonObject, askTimeoutMs: number): Promise<JsonObject> {
    const { channel, label: process, processId } = this.#init;
    const agent = textOf(payload["name"] ?? payload["agent"]);
    if (this.#isEnded) throw new workerErrors.AWAY({ agent, process });
    const { promise, reject } = Promise.withResolvers<never>();
    const repeat = (): void => reject(new linkErrors.CUT({ address: process }));
    if (repeatable.has(type)) this.#repeats.add(repeat);
    try {
      const asked = channel.ask(workerTopic(processId), { type, payload }, askTimeoutMs);
      return await Promise.race([asked, promise]);
    } finally {
      this.#repeats.delete(repeat);
    }
  }

  /** It is gone: who waits for an answer of it gets an error. */
  lose(reason: string): void {
    this.end();
    const { channel, label: process, processId } = this.#init;
    channel.failQuestionsTo(workerTopic(processId), new workerErrors.LOST({ process, reason }));
  }

  /** {@inheritDoc ChangedWorker.beginChange} */
  beginChange(_hosted: Hello["agents"], groups: ReadonlyMap<string, string>): void {
    this.#change = { groups, fresh: new Set() };
  }

  /** {@inheritDoc ChangedWorker.endChange} */
  endChange(): void {
    this.#change = undefined;
  }

  /** A node is made that it has already, in a change of the tree. */
  note(name: string): void {
    this.#change?.fresh.add(name);
  }

  /** True for a node that comes or goes there in a change of the tree: that starts and stops it. */
  isChanging(name: string): boolean {
    const change = this.#change;
    if (change === undefined) return false;
    const process = this.label.slice(0, this.label.lastIndexOf("/"));
    return change.fresh.has(name) || change.groups.get(name) !== process;
  }

  /** Asks no more whether it is there. */
  end(): void {
    this.#isEnded = true;
    this.#clear();
  }

  #noteParts(payload: JsonObject): void {
    this.hear(payload);
    this.down.clear();
    for (const [name, { isUp }] of this.parts) if (!isUp) this.down.add(name);
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#init.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #probeLater(): void {
    this.#clear();
    if (this.#isEnded) return;
    this.#timer = this.#init.system.setTimer(spreadIntervalMs, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    this.#probeNumber += 1;
    const number = this.#probeNumber;
    const { channel } = this.#init;
    const { cutCount } = channel;
    try {
      // The lease goes from an answer that is known to be here: its sender need not guess what has arrived.
      const answer = await this.ask(
        controlTypes.probe,
        { number, heard: this.#heardNumber },
        timeoutMs,
      );
      if (this.#isEnded) return;
      this.#heardAtMs = this.#init.system.monotonicMs();
      this.#heardNumber = number;
      this.#missedCount = 0;
      if (this.isThere) {
        this.hear(answer);
        this.#init.onHeard();
        this.#probeLater();
        return;
      }
      this.#noteParts(answer);
      this.#answerCount += 1;
      if (this.#answerCount === 1) {
        // With the next one its lease begins: that it has had one is known by the answer.
        this.#init.onHeard();
        void this.#probe();
        return;
      }
      this.isThere = true;
      this.#init.onThere();
      this.#probeLater();
    } catch (error) {
      if (this.#isEnded) return;
      // It is this process that is cut off, or was: that says nothing of the worker.
      if (error instanceof linkErrors.DOWN) {
        this.#probeLater();
        return;
      }
      if (channel.cutCount === cutCount) this.#missedCount += 1;
      if (this.#missedCount >= missedMax) this.#init.onSilent();
      else void this.#probe();
    }
  }
}
