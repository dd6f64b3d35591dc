import {
  type AgentStatus,
  type JsonObject,
  type Kernel,
  type Log,
  type RuntimeEvent,
  type TimerHandle,
} from "../core/index.ts";
import type { ControlChannel } from "../links/index.ts";
import type { Guests, Informant } from "../runtime/index.ts";
import { childTypes, type NameHost, readGuest, readStop } from "./children/index.ts";
import { partsPayload, type SpreadHost } from "./spread/index.ts";
import { workerErrors } from "./errors.ts";
import { toldCrash } from "./told-crash.ts";
import type { TreeHost } from "./tree-host.ts";
import { hasTree, readTree } from "./tree-payload.ts";
import {
  agentsPayload,
  controlTypes,
  type Hello,
  helloPayload,
  supervisorTopic,
  textOf,
  workerTopic,
  workersTopic,
} from "./protocol.ts";

/** How long a worker waits between two tries to be taken by its supervisor, and for an answer, milliseconds. */
const registerIntervalMs = 1000;
/** After so many intervals without a word of the supervisor, the worker registers again. */
const silentIntervalCount = 3;

/** After which the status of an agent is another one, though it was neither started nor stopped. */
const newsEvents: ReadonlySet<RuntimeEvent["type"]> = new Set(["agent.suspended", "agent.resumed"]);

/** What a worker has to do with the runtime that it hosts agents in. */
export interface HostedRuntime {
  /** @returns Its agents. */
  agents(): readonly {
    readonly name: string;
    readonly status: AgentStatus;
    readonly mailboxDepth: number;
    readonly isRefusing: boolean;
    readonly isSpawned: boolean;
  }[];
  /** Children that the supervisor has run here. */
  readonly guests: Guests;
  /** Starts a new object of an agent. */
  restart(name: string, options: { readonly initiatedBy: string }): Promise<void>;
  /** Stops one. */
  stopAgent(name: string): Promise<{ readonly lateNames: readonly string[] }>;
  /** Tells what happens. */
  onEvent(callback: (event: RuntimeEvent) => void): () => void;
  /** Takes secrets out of texts. */
  readonly redactText: (text: string) => string;
}

/** What a worker is made from. */
export interface WorkerHostInit {
  readonly kernel: Pick<Kernel, "system" | "registry">;
  readonly channel: ControlChannel;
  readonly runtime: HostedRuntime;
  readonly log: Log;
  readonly process: string;
  readonly processId: string;
  /** Which tree it has its part of. */
  readonly trees: TreeHost;
  /** The parts that it has of pools and keyed agents. */
  readonly spread: SpreadHost;
  /** The children of other processes by their names. */
  readonly names: NameHost;
  /** Settles when other processes reach a name of this one. */
  readonly isReached: (name: string) => Promise<void>;
  /** Called when the supervisor will never take it. */
  readonly onRefused: (error: Error) => void;
}

/** A worker process: it runs the agents of one process group, and its supervisor says which are started and stopped. */
export class WorkerHost {
  readonly #init: WorkerHostInit;
  #timer: TimerHandle | undefined;
  #isTaken = false;
  /** Number of the latest lead that it has heard of. */
  #term = 0;
  #isStopped = false;
  #intervalMs = 5000;
  #endEvents: (() => void) | undefined;
  #informant: Informant | undefined;
  #isNewsDue = false;
  #isTakingTree = false;
  /** It stops, and gives up what it has. */
  #isLeaving = false;
  /** No supervisor was there when it began to stop. */
  #isGivenUp = false;

  constructor(init: WorkerHostInit) {
    this.#init = init;
  }

  /** Answers questions of the control plane by this. */
  answer(informant: Informant): void {
    this.#informant = informant;
  }

  /** Tells the supervisor that it is there, again and again until it is taken. Its agents run already. */
  async start(): Promise<void> {
    const { channel, processId, runtime } = this.#init;
    this.#endEvents = runtime.onEvent((event) => this.#tell(event));
    await channel.listen(
      workerTopic(processId),
      async ({ type, payload }) => await this.#obey(type, payload),
    );
    runtime.guests.onEnded((name) => this.#tellEnded(name));
    await channel.listen(workersTopic, ({ type, payload }) => {
      if (type === childTypes.names) this.#hearNames(payload);
      else this.#registerAgain();
      return undefined;
    });
    // Another supervisor may have come meanwhile, whose word was lost.
    channel.onRejoined(() => this.#registerAgain());
    await this.#register();
  }

  /** {@inheritDoc HandOver.begin} */
  async leave(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#isTaken = false;
    // What the supervisor sent before it answers is here before its answer.
    await this.#register();
    // A supervisor that comes later hears of it, too; nobody waits for that.
    this.#isGivenUp = !this.#isTaken;
  }

  /** {@inheritDoc HandOver.isDone} */
  get hasLeft(): boolean {
    return this.#isGivenUp || this.#init.spread.isEmpty;
  }

  /** Tells the supervisor that it stops. */
  stop(): void {
    this.#isStopped = true;
    this.#endEvents?.();
    this.#clear();
    const { channel, process, processId: id } = this.#init;
    const payload = { process, process_id: id };
    try {
      channel.tell(supervisorTopic, { type: controlTypes.deregister, payload });
    } catch {
      // Where the link is down, the supervisor notices by itself.
    }
  }

  #registerAgain(): undefined {
    this.#isTaken = false;
    // Who wanted it to wait for its end has gone, or does not know of it.
    if (!this.#isTakingTree) void this.#init.trees.abort();
    void this.#register();
  }

  async #register(): Promise<void> {
    this.#clear();
    if (this.#isStopped || this.#isTaken) return;
    const { channel, process, processId, trees, log, spread } = this.#init;
    const { hash: topologyHash, knownHashes } = trees;
    const isLeaving = this.#isLeaving;
    const self = { process, processId, topologyHash, knownHashes, isLeaving };
    const hello = helloPayload({ ...self, agents: this.#agents() });
    const payload = { ...hello, parts: partsPayload(spread.parts()) };
    try {
      const message = { type: controlTypes.register, payload };
      const answer = await channel.ask(supervisorTopic, message, registerIntervalMs);
      // Since it has begun to stop, it has said more.
      if (this.#isLeaving !== isLeaving) return;
      if (hasTree(answer)) {
        await this.#takeTree(answer);
        return;
      }
      const { interval } = answer;
      if (typeof interval === "number") this.#intervalMs = interval * 1000;
      // Who asked twice has two answers.
      if (this.#isTaken) return;
      this.#isTaken = true;
      if (!isLeaving) log.info("the supervisor has taken this worker", { process });
      this.#expectWord();
    } catch (error) {
      if (this.#isLeaving !== isLeaving) return;
      const isOther = codeOf(error) === "AGENTRT_WORKER_OTHER_TOPOLOGY";
      if (isOther && !isLeaving) this.#init.onRefused(error as Error);
      else if (!this.#isTaken) this.#registerLater();
    }
  }

  /** It has an earlier tree than the supervisor: takes the one that runs, and registers with that. */
  async #takeTree(answer: JsonObject): Promise<void> {
    const { trees, log, onRefused } = this.#init;
    if (this.#isTakingTree) return;
    this.#isTakingTree = true;
    try {
      await trees.prepare(readTree(answer));
      await trees.commit();
      log.info("this worker has another tree now, from the supervisor");
    } catch (error) {
      onRefused(error as Error);
      return;
    } finally {
      this.#isTakingTree = false;
    }
    await this.#register();
  }

  #registerLater(): void {
    this.#clear();
    const { system } = this.#init.kernel;
    this.#timer = system.setTimer(registerIntervalMs, () => void this.#register());
  }

  /** A supervisor that says nothing has gone, and another one does not know of this worker yet. */
  #expectWord(): void {
    this.#clear();
    this.#timer = this.#init.kernel.system.setTimer(this.#intervalMs * silentIntervalCount, () =>
      this.#registerAgain(),
    );
  }

  async #obey(type: string, payload: JsonObject): Promise<JsonObject | undefined> {
    if (this.#isStopped) return undefined;
    this.#checkTerm(payload);
    if (this.#isTaken) this.#expectWord();
    const name = textOf(payload["name"]);
    const { runtime, spread } = this.#init;
    if (type === controlTypes.probe) {
      spread.probed(payload);
      if (!this.#init.names.isUpToDate(payload["names"])) this.#registerAgain();
      return { agents: agentsPayload(this.#agents()), parts: partsPayload(spread.parts()) };
    }
    const answer = (await spread.obey(type, payload)) ?? (await this.#obeyOfChild(type, payload));
    if (answer !== undefined) return answer;
    const { trees } = this.#init;
    if (type === controlTypes.tree) {
      await trees.prepare(readTree(payload));
      return { agents: agentsPayload(this.#agents()) };
    }
    if (type === controlTypes.keepTree) return { late: [...(await trees.commit())] };
    if (type === controlTypes.dropTree) await trees.abort();
    if (type === controlTypes.ask) return await this.#informant?.answer(payload);
    if (type === controlTypes.start) await runtime.restart(name, { initiatedBy: "supervisor" });
    else if (type === controlTypes.stop)
      return { late: [...(await runtime.stopAgent(name)).lateNames] };
    return undefined;
  }

  /** @returns The answer to what is about children that were spawned; undefined for all else. */
  async #obeyOfChild(type: string, payload: JsonObject): Promise<JsonObject | undefined> {
    const { runtime, kernel, isReached } = this.#init;
    const name = textOf(payload["name"]);
    if (type === childTypes.names) this.#hearNames(payload);
    else if (type === childTypes.start) {
      this.#init.trees.noteBudget(name, payload["is_budgeted"] === true);
      await runtime.guests.start(readGuest(payload));
      await isReached(name);
    } else if (type === childTypes.stop) {
      const how = readStop(payload, kernel.system.monotonicMs());
      return { late: [...(await runtime.guests.stop(name, how))] };
    } else if (type === childTypes.leave) {
      this.#init.trees.noteBudget(name, false);
      await runtime.guests.leave(name, { isForgotten: payload["is_forgotten"] === true });
    } else if (type === childTypes.gone) {
      const spawner = kernel.registry.get(textOf(payload["agent"]));
      spawner?.childGone?.(textOf(payload["child"]), textOf(payload["reason"]));
    } else return undefined;
    return {};
  }

  #hearNames(payload: JsonObject): void {
    if (!this.#init.names.take(payload)) this.#registerAgain();
  }

  /** A child that was spawned here has ended by itself, without a fault. */
  #tellEnded(name: string): void {
    const { channel, process, processId, log } = this.#init;
    const payload = { process, process_id: processId, name };
    try {
      channel.tell(supervisorTopic, { type: childTypes.ended, payload });
    } catch (error) {
      log.error("the end of a child could not be reported", { agent: name, error });
    }
  }

  /** A supervisor that was cut off or held up, and does not know yet that another one leads, is obeyed no more. */
  #checkTerm({ term }: JsonObject): void {
    if (typeof term !== "number") return;
    if (term < this.#term) throw new workerErrors.OLD_LEAD({ process: this.#init.process });
    this.#term = term;
  }

  #agents(): Hello["agents"] {
    return Object.fromEntries(this.#init.runtime.agents().map((agent) => [agent.name, agent]));
  }

  /** Tells what its agents do, once for all that changes in one turn. */
  #tellNews(): void {
    if (this.#isNewsDue || !this.#isTaken) return;
    this.#isNewsDue = true;
    this.#init.kernel.system.yieldTurn(() => {
      this.#isNewsDue = false;
      if (this.#isStopped) return;
      const { channel, process, processId: id } = this.#init;
      const payload = {
        process,
        process_id: id,
        agents: agentsPayload(this.#agents()),
        parts: partsPayload(this.#init.spread.parts()),
      };
      try {
        channel.tell(supervisorTopic, { type: controlTypes.news, payload });
      } catch {
        // The next probe has them.
      }
    });
  }

  /** An agent of a worker is never started again by the worker itself. */
  #tell(event: RuntimeEvent): void {
    if (newsEvents.has(event.type) || this.#init.spread.isNews(event)) this.#tellNews();
    if (event.type !== "supervisor.exhausted") return;
    this.#init.spread.noteEnd(event.child);
    const { channel, process, processId, log, runtime } = this.#init;
    const crash = this.#informant?.crashOf(event.child, event.error);
    const payload = {
      process,
      process_id: processId,
      name: event.child,
      ...toldCrash(event.error, crash, runtime.redactText),
    };
    try {
      channel.tell(supervisorTopic, { type: controlTypes.exit, payload });
    } catch (error) {
      log.error("a crash could not be reported to the supervisor", { agent: event.child, error });
    }
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#init.kernel.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null)?.code;
}
