import {
  type AgentSpec,
  childOptions,
  type JsonObject,
  type Kernel,
  type Message,
  type ModelBudget,
  type SpawnedElsewhere,
  type StopOptions,
  type SupervisorSpec,
  type TimerHandle,
} from "../core/index.ts";
import { linkErrors } from "../links/index.ts";
import type { Elsewhere } from "../runtime/index.ts";
import { workerErrors } from "./errors.ts";
import {
  controlTypes,
  type Hello,
  readAgents,
  readHello,
  supervisorTopic,
  textOf,
  workerTopic,
  workersTopic,
} from "./protocol.ts";
import { budgetTypes, HeldBudgets } from "./budgets/index.ts";
import {
  ChildRequests,
  childTypes,
  type GuestPayload,
  guestPayload,
  NameBoard,
  requireType,
  SpawnedChild,
  type SpawnedHost,
} from "./children/index.ts";
import { readToldCrash } from "./told-crash.ts";
import { isServing, RemoteChild, type RemoteHost } from "./remote-child.ts";
import { type ChangedWorker, WorkerTrees } from "./worker-trees.ts";
import type { WorkersInit } from "./workers-init.ts";
import {
  SpreadGroup,
  spreadIntervalMs,
  type SpreadNode,
  type SpreadWorker,
} from "./spread/index.ts";

/** How often a worker is asked whether it is there, and how long its answer may take, milliseconds. */
export const [probeIntervalMs, probeTimeoutMs] = [5000, 2000] as const;
/** Answers that may be missing: it is asked again at once, so that a dead worker is noticed within two intervals. */
const missedMax = 2;
/** How long a start or a stop of an agent may take when it says nothing itself, milliseconds. */
const commandTimeoutMs = 60_000;
/** How long a question of the control plane may take, milliseconds. */
const questionTimeoutMs = 10_000;

/** Children that are gone and that a worker that is away has to forget: so many are kept. */
const owedCountMax = 10_000;

/** The workers of a topology, as its supervisor process sees them. */
export class Workers {
  readonly #init: WorkersInit;
  /** Puts other trees in place at them. */
  readonly trees: WorkerTrees;
  readonly #workers = new Map<string, Worker>();
  /** Process groups with pools and keyed agents, which several workers may join. */
  readonly #spread = new Map<string, SpreadGroup>();
  readonly #onPresent: ((process: string, processId: string) => void)[] = [];
  #isStopped = false;
  #reads: ((question: JsonObject) => Promise<JsonObject>) | undefined;
  readonly #names: NameBoard;
  readonly #childRequests: ChildRequests;
  readonly #budgets: HeldBudgets;

  constructor(given: Omit<WorkersInit, "onLost">) {
    const init = { ...given, onLost: (processId: string) => this.#budgets.lose(processId) };
    this.#init = init;
    const isThere = (process: string, processId: string): boolean =>
      this.#spread.get(process)?.has(processId) === true ||
      this.#workers.get(process)?.processId === processId;
    this.#budgets = new HeldBudgets({
      log: init.log,
      isThere,
      budgetOf: (agent, process) => this.#budgetOf(agent, process),
    });
    init.kernel.approvals.placeOf = (agent) => this.#nodeOf(agent)?.placeOf(agent);
    this.#names = new NameBoard({
      channel: init.channel,
      board: init.processId,
      processOf: (child) => this.elsewhere.processOf(child),
      isHeard: () => !this.#isStopped && this.elsewhere.present().length > 0,
    });
    this.#childRequests = new ChildRequests({
      kernel: init.kernel,
      isThere,
      processOf: (agent) => this.elsewhere.processOf(agent),
      isReached: init.isReached,
    });
    const { channel, log, topologyHash: hash, files, nameAgents } = init;
    this.trees = new WorkerTrees({
      channel,
      log,
      tree: { hash, files },
      nameAgents,
      workers: () => [
        ...[...this.#workers.values()].filter(({ isThere }) => isThere),
        ...this.#spreadWorkers(),
      ],
    });
  }

  /** Builds the driver of an agent that belongs to a process group; undefined for one of this process. */
  driverOf(spec: AgentSpec, kernel: Kernel): RemoteChild | SpreadNode | undefined {
    const { processName } = spec;
    if (processName === undefined) return undefined;
    if (this.#init.sharedGroups?.has(processName) === true)
      return this.#groupOf(processName).add(spec, kernel);
    const worker = this.#workerOf(processName);
    const driver = new RemoteChild(kernel, spec, worker);
    worker.note(driver);
    return driver;
  }

  #workerOf(process: string): Worker {
    let worker = this.#workers.get(process);
    if (worker === undefined) {
      worker = new Worker(process, this.#init, this.#names);
      this.#workers.set(process, worker);
    }
    return worker;
  }

  /** {@inheritDoc Placement.spawnedOf} */
  spawnedOf(
    { spec, process, supervisor, request }: SpawnedElsewhere,
    kernel: Kernel,
  ): SpawnedChild {
    const type = requireType(request, supervisor, (agentClass) =>
      this.#init.runtime.typeOfClass(agentClass),
    );
    const guest = guestPayload(
      { name: spec.name, type, isBudgeted: kernel.budget !== undefined },
      childOptions(request),
    );
    return new SpawnedChild(kernel, spec, this.#workerOf(process).hostOf(guest));
  }

  /** Builds the driver of a pool or a keyed agent of a process group; undefined for one of this process. */
  spreadOf(spec: SupervisorSpec, kernel: Kernel): SpreadNode | undefined {
    const processName = (spec.pool ?? spec.keyed)?.processName;
    if (processName === undefined) return undefined;
    return this.#groupOf(processName).add(spec, kernel);
  }

  #groupOf(process: string): SpreadGroup {
    let group = this.#spread.get(process);
    if (group === undefined) {
      group = new SpreadGroup(process, this.#init, ({ label, processId }) => {
        for (const callback of this.#onPresent) callback(label, processId);
      });
      this.#spread.set(process, group);
    }
    return group;
  }

  /** The workers as the control plane asks them. */
  readonly elsewhere: Elsewhere = {
    processOf: (agent) => {
      const found = this.#init.kernel.registry.get(agent);
      return found instanceof RemoteChild ? found.process : this.#partOf(agent);
    },
    present: () => [
      ...[...this.#workers.values()].flatMap((each) => (each.isThere ? [each.process] : [])),
      ...this.#spreadWorkers().map(({ label }) => label),
    ],
    groups: () => [
      ...this.#workersOfTree().map(({ process }) => process),
      ...[...this.#spread.values()].flatMap(({ labels }) => [...labels]),
    ],
    awayGroups: () => [
      ...this.#workersOfTree().flatMap(({ isThere, process }) => (isThere ? [] : [process])),
      ...[...this.#spread.values()].flatMap(({ workers, process }) =>
        workers.length === 0 ? [process] : [],
      ),
    ],
    processIdOf: (process) => {
      if (this.#isStopped) return undefined;
      const spread = this.#spreadWorkers().find(({ label }) => label === process);
      return spread?.processId ?? this.#workers.get(process)?.processId;
    },
    onPresent: (callback) => void this.#onPresent.push(callback),
    unattended: async () => {
      const asked = this.#spreadNodes().map(async (node) => {
        const nothing = { approvals: [], isWhole: false };
        return { ...(await node.unattended().catch(() => nothing)), process: node.process };
      });
      const looked = await Promise.all(asked);
      const unread = looked.filter(({ isWhole }) => !isWhole).map(({ process }) => process);
      return {
        approvals: looked.flatMap(({ approvals }) => approvals),
        unreadGroups: [...new Set(unread)],
      };
    },
    changeCount: () => this.#spreadNodes().reduce((sum, node) => sum + node.changeCount, 0),
    ask: async (process, question, { timeoutMs = questionTimeoutMs } = {}) => {
      const group = this.#spread.get(process.slice(0, process.lastIndexOf("/")));
      if (group !== undefined)
        return await group
          .labelled(process, textOf(question["agent"]))
          .ask(controlTypes.ask, question, timeoutMs);
      const worker = this.#workers.get(process);
      if (worker === undefined)
        throw new workerErrors.AWAY({ agent: textOf(question["agent"]), process });
      return await worker.answer(question, timeoutMs);
    },
  };

  #spreadNodes(): SpreadNode[] {
    return [...this.#spread.values()].flatMap(({ nodes }) => nodes);
  }

  #spreadWorkers(): SpreadWorker[] {
    return [...this.#spread.values()].flatMap(({ workers }) => workers);
  }

  /** The worker that has a member of a pool, a key or an agent of several workers; of one that is nowhere the group. */
  #partOf(agent: string): string | undefined {
    const node = this.#nodeOf(agent);
    return node?.labelOf(agent) ?? node?.process;
  }

  /** The node of a member of a pool, of a key or of an agent of several workers. */
  #nodeOf(agent: string): SpreadNode | undefined {
    return this.#spreadNodes().find((node) => node.has(agent));
  }

  /** What model calls of an agent of a worker count against in this process. @throws AGENTRT_WORKER_AWAY for another one. */
  #budgetOf(agent: string, process: string): ModelBudget | undefined {
    const found = this.#init.kernel.registry.get(agent);
    const driver = found instanceof RemoteChild ? found : this.#nodeOf(agent);
    if (driver?.process === process) return driver.budget;
    throw new workerErrors.AWAY({ agent, process });
  }

  /** Answers supervisors that wait by this. */
  answerReads(answer: (question: JsonObject) => Promise<JsonObject>): void {
    this.#reads = answer;
  }

  /** Takes workers from now on; those that are there already come at once. */
  async start(): Promise<void> {
    const { channel } = this.#init;
    await channel.listen(
      supervisorTopic,
      async ({ type, payload }) => await this.#take(type, payload),
    );
    channel.tell(workersTopic, { type: controlTypes.register, payload: {} });
    this.#names.watch(this.#init.runtime);
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
    for (const worker of this.#workers.values()) worker.end();
    for (const group of this.#spread.values()) group.end();
  }

  /** Closes what it has opened, until a monotonic time at the latest. */
  async close(untilMs: number): Promise<void> {
    const groups = [...this.#spread.values()];
    await Promise.all(groups.map(async (group) => await group.close(untilMs)));
  }

  async #take(type: string, payload: JsonObject): Promise<JsonObject | undefined> {
    if (this.#isStopped) return undefined;
    if (type === controlTypes.wantTree) return this.#treeOf(payload);
    if (type === controlTypes.read) return await this.#reads?.(payload);
    if (type === controlTypes.register) return await this.#register(readHello(payload), payload);
    if (type === budgetTypes.hold || type === budgetTypes.end) {
      await (type === budgetTypes.hold ? this.#budgets.hold(payload) : this.#budgets.end(payload));
      return {};
    }
    if (type === childTypes.spawn || type === childTypes.end)
      return await this.#childRequests.answer(type, payload);
    const group = this.#spread.get(textOf(payload["process"]));
    if (group !== undefined) {
      group.take(type, payload);
      return undefined;
    }
    const worker = this.#workers.get(textOf(payload["process"]));
    if (worker?.processId === undefined || worker.processId !== payload["process_id"])
      return undefined;
    if (type === controlTypes.deregister) worker.leave();
    else if (type === controlTypes.news) worker.hear(readAgents(payload));
    else if (type === childTypes.ended) worker.child(textOf(payload["name"]))?.finish();
    else if (type === controlTypes.exit) {
      const error = readToldCrash(payload);
      worker.child(textOf(payload["name"]))?.crash(error);
    }
    return undefined;
  }

  /** Those that the tree has agents of: a change may have left others without. */
  #workersOfTree(): Worker[] {
    const named = new Set<string>();
    for (const each of this.#init.kernel.registry.list())
      if (each instanceof RemoteChild) named.add(each.process);
      else if (each.childProcess !== undefined)
        named.add(this.#workerOf(each.childProcess).process);
    return [...this.#workers.values()].filter(({ process }) => named.has(process));
  }

  /** The tree, for a process that is to be a worker. */
  #treeOf(question: JsonObject): JsonObject {
    const process = textOf(question["process"]);
    const { payload, isChanging } = this.trees;
    if (isChanging) throw new workerErrors.CHANGING({ process });
    const expected = textOf(question["topology"]);
    if (payload === undefined || (expected !== "" && !this.trees.hasHad(expected)))
      throw new workerErrors.OTHER_TOPOLOGY({ process });
    const groups = this.#workersOfTree().map((worker) => worker.process);
    return { ...payload, groups: [...groups, ...this.#spread.keys()] };
  }

  async #register(hello: Hello, payload: JsonObject): Promise<JsonObject> {
    const { process, topologyHash, processId, isLeaving } = hello;
    const group = this.#spread.get(process);
    const worker = this.#workersOfTree().find((each) => each.process === process);
    const isKnown = group?.has(processId) === true || worker?.processId === processId;
    if (this.trees.isChanging && !isKnown) throw new workerErrors.CHANGING({ process });
    const isOther = topologyHash !== this.trees.hash;
    const tree = this.trees.treeFor(hello);
    // One that stops needs no other tree.
    const wanted = isLeaving ? undefined : tree;
    if ((isOther && tree === undefined) || (group === undefined && worker === undefined))
      throw new workerErrors.OTHER_TOPOLOGY({ process });
    if (group !== undefined) {
      if (wanted !== undefined) return wanted;
      this.#names.tellAll(processId);
      group.welcome(hello, payload);
      return { interval: spreadIntervalMs / 1000 };
    }
    if (worker === undefined) throw new workerErrors.OTHER_TOPOLOGY({ process });
    if (worker.processId !== undefined && worker.processId !== processId) {
      if (await worker.answers()) throw new workerErrors.TAKEN({ process });
      worker.lose("another one came in its place");
    }
    if (wanted !== undefined) return wanted;
    this.#names.tellAll(processId);
    if (worker.welcome(hello))
      for (const callback of this.#onPresent) callback(process, hello.processId);
    return { interval: probeIntervalMs / 1000 };
  }
}

/** What of a change of the tree is done at a worker, but not kept yet. */
interface Change {
  readonly hosted: Hello["agents"];
  readonly groups: ReadonlyMap<string, string>;
  /** Agents that are new in the tree. */
  readonly fresh: Set<string>;
}

/** One worker: a process group, and the process that runs it at the moment. */
class Worker implements RemoteHost, ChangedWorker {
  readonly process: string;
  processId: string | undefined;
  /** {@inheritDoc RemoteHost.isLeaving} */
  isLeaving = false;
  #change: Change | undefined;
  readonly #init: WorkersInit;
  #timer: TimerHandle | undefined;
  #missedCount = 0;
  readonly #names: NameBoard;
  /** Children that were spawned there and are gone since: it has to forget what they saved, once it is there. */
  readonly #owed = new Set<string>();

  constructor(process: string, init: WorkersInit, names: NameBoard) {
    this.process = process;
    this.#init = init;
    this.#names = names;
  }

  /** It is there. @returns False where that was known. */
  welcome({ processId, agents, isLeaving }: Hello): boolean {
    const isNew = this.processId !== processId;
    this.processId = processId;
    this.#missedCount = 0;
    const fields = { process: this.process, process_id: processId };
    if (isNew) this.#init.log.info("a worker is there", fields);
    if (isLeaving && !this.isLeaving) {
      this.isLeaving = true;
      this.#init.log.info("a worker stops: it finishes what it has", fields);
    }
    if (!isNew) return false;
    this.#settleSpawned(agents);
    for (const child of this.#children()) {
      const agent = agents[child.name];
      if (!child.isWanted) {
        // One that was stopped for good stays so; any other one is about to be started.
        if (child.status === "STOPPED") void this.#stopAgain(child.name);
        else if (agent !== undefined) child.find(agent);
      } else if (agent !== undefined && isServing(agent)) {
        child.adopt();
        child.hear(agent);
      } else void child.begin();
    }
    this.#probeLater();
    return true;
  }

  /** What was spawned there and is gone by now leaves it, and so does what another supervisor had spawned. */
  #settleSpawned(agents: Hello["agents"]): void {
    for (const [name, { isSpawned }] of Object.entries(agents))
      if (isSpawned === true && this.child(name) === undefined && !this.#owed.has(name))
        void this.leaveSpawned(name, { isForgotten: false });
    const owed = [...this.#owed];
    this.#owed.clear();
    for (const name of owed) void this.leaveSpawned(name, { isForgotten: true });
  }

  /** A child is gone for good. Nothing is thrown: where the worker is away, it hears of it when it is back. */
  async leaveSpawned(
    name: string,
    { isForgotten }: { readonly isForgotten: boolean },
  ): Promise<void> {
    try {
      const payload = { name, is_forgotten: isForgotten };
      await this.#ask(childTypes.leave, payload, commandTimeoutMs);
    } catch (error) {
      if (this.isThere)
        this.#init.log.warn("a child of a worker could not leave", { agent: name, error });
      else if (isForgotten && this.#owed.size < owedCountMax) this.#owed.add(name);
    }
  }

  /** @returns What a child that is spawned there needs of it. */
  hostOf(guest: GuestPayload): SpawnedHost {
    const { process } = this;
    const processId = (): string | undefined => this.processId;
    const isLeaving = (): boolean => this.isLeaving;
    return {
      process,
      get processId() {
        return processId();
      },
      get isLeaving() {
        return isLeaving();
      },
      send: (message, deadlineMs) => this.send(message, deadlineMs),
      keeps: (message) => this.keeps(message),
      tellGone: (agent, child, reason) => this.tellGone(agent, child, reason),
      startAgent: async () => {
        this.#owed.delete(guest.name);
        await this.#ask(childTypes.start, guest, commandTimeoutMs);
      },
      stopAgent: async (name, options) => await this.#stopBy(childTypes.stop, name, options),
      leaveAgent: async (name, options) => await this.leaveSpawned(name, options),
    };
  }

  /** {@inheritDoc RemoteHost.tellGone} */
  tellGone(agent: string, child: string, reason: string): void {
    const { processId } = this;
    if (processId === undefined) return;
    try {
      const payload = { agent, child, reason };
      this.#init.channel.tell(workerTopic(processId), { type: childTypes.gone, payload });
    } catch (error) {
      this.#init.log.warn("an agent does not hear of the end of its child", {
        agent,
        child,
        error,
      });
    }
  }

  /** It has started all of its agents. */
  async #stopAgain(name: string): Promise<void> {
    await this.stopAgent(name, { deadlineMs: Number.POSITIVE_INFINITY, isFinal: false });
  }

  /** It has said that it stops. */
  leave(): void {
    this.lose("it was stopped", false);
  }

  /** It is gone, with all of its agents. */
  lose(reason: string, isFault = true): void {
    const { processId, process } = this;
    if (processId === undefined) return;
    this.end();
    this.processId = undefined;
    this.isLeaving = false;
    this.#change = undefined;
    const fields = { process, process_id: processId };
    if (isFault) this.#init.log.error("a worker is gone", { ...fields, reason });
    else this.#init.log.info("a worker has stopped", fields);
    this.#init.exchange.failRequestsTo(processId);
    this.#init.onLost(processId);
    const lost = new workerErrors.LOST({ process, reason });
    this.#init.channel.failQuestionsTo(workerTopic(processId), lost);
    for (const child of this.#children())
      child.lose(new workerErrors.GONE({ agent: child.name, process, reason }));
  }

  get isThere(): boolean {
    return this.processId !== undefined;
  }

  /** Takes what it says of its agents. */
  hear(agents: Hello["agents"]): void {
    for (const [name, agent] of Object.entries(agents)) this.child(name)?.hear(agent);
  }

  /** @returns What it answers to a question of the control plane. */
  async answer(question: JsonObject, timeoutMs: number): Promise<JsonObject> {
    return await this.#ask(controlTypes.ask, question, timeoutMs);
  }

  end(): void {
    if (this.#timer !== undefined) this.#init.kernel.system.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  /** @returns Whether it answers now. */
  async answers(): Promise<boolean> {
    const { processId } = this;
    if (processId === undefined) return false;
    try {
      await this.#ask(controlTypes.probe, {}, probeTimeoutMs);
      return true;
    } catch {
      return false;
    }
  }

  send(message: Message, deadlineMs?: number): Promise<void> | undefined {
    const to = { topic: message.recipient, process: this.processId };
    return this.#init.exchange.send(message, to, deadlineMs);
  }

  keeps(message: Message): boolean {
    return this.#init.exchange.keeps(message, { topic: message.recipient });
  }

  /** The driver of one of its agents; undefined for all else. */
  child(name: string): RemoteChild | undefined {
    const found = this.#init.kernel.registry.get(name);
    return found instanceof RemoteChild && found.process === this.process ? found : undefined;
  }

  #children(): RemoteChild[] {
    const { registry } = this.#init.kernel;
    return registry
      .list()
      .filter((each) => each instanceof RemoteChild)
      .filter(({ process }) => process === this.process);
  }

  /** {@inheritDoc ChangedWorker.label} */
  get label(): string {
    return this.process;
  }

  /** A driver was built: in a change of the tree its agent may run there already. */
  note(driver: RemoteChild): void {
    const change = this.#change;
    if (change === undefined) return;
    change.fresh.add(driver.name);
    const agent = change.hosted[driver.name];
    if (agent !== undefined) driver.find(agent);
  }

  /** {@inheritDoc ChangedWorker.beginChange} */
  beginChange(hosted: Hello["agents"], groups: Change["groups"]): void {
    this.#change = { hosted, groups, fresh: new Set() };
  }

  /** {@inheritDoc ChangedWorker.endChange} */
  endChange(): void {
    this.#change = undefined;
  }

  /** True for an agent that the worker has stopped in a change of the tree, and starts again if that is taken back. */
  #isGone(name: string): boolean {
    return this.#change !== undefined && this.#change.groups.get(name) !== this.process;
  }

  async startAgent(name: string): Promise<void> {
    if (this.#isGone(name) || this.#change?.fresh.has(name) === true) return;
    await this.#ask(controlTypes.start, { name }, commandTimeoutMs);
  }

  async stopAgent(name: string, options: StopOptions): Promise<readonly string[]> {
    if (this.#isGone(name) || this.#change?.fresh.has(name) === true) return [];
    return await this.#stopBy(controlTypes.stop, name, options);
  }

  async #stopBy(type: string, name: string, options: StopOptions): Promise<readonly string[]> {
    const { deadlineMs, after } = options;
    const leftMs = deadlineMs - this.#init.kernel.system.monotonicMs();
    const timeoutMs = Math.max(1, Math.min(leftMs, commandTimeoutMs));
    const how: JsonObject = after === undefined ? {} : { after };
    if (Number.isFinite(leftMs)) how["timeout"] = Math.max(0, leftMs) / 1000;
    try {
      const { late } = await this.#ask(type, { name, ...how }, timeoutMs);
      return Array.isArray(late) ? late.map(String) : [];
    } catch (error) {
      // It has ended with its worker.
      if (!this.isThere) return [];
      this.#init.log.warn("an agent of a worker could not be stopped", { agent: name, error });
      return [name];
    }
  }

  /** {@inheritDoc ChangedWorker.ask} */
  async ask(type: string, payload: JsonObject, timeoutMs: number): Promise<JsonObject> {
    return await this.#ask(type, payload, timeoutMs);
  }

  async #ask(type: string, payload: JsonObject, timeoutMs: number): Promise<JsonObject> {
    const { processId } = this;
    if (processId === undefined)
      throw new workerErrors.AWAY({
        agent: textOf(payload["name"] ?? payload["agent"]),
        process: this.process,
      });
    return await this.#init.channel.ask(workerTopic(processId), { type, payload }, timeoutMs);
  }

  #probeLater(delayMs: number = probeIntervalMs): void {
    this.end();
    const { system } = this.#init.kernel;
    this.#timer = system.setTimer(delayMs, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const { processId } = this;
    if (processId === undefined) return;
    const { channel } = this.#init;
    const { cutCount } = channel;
    try {
      const answer = await this.#ask(
        controlTypes.probe,
        { names: this.#names.version },
        probeTimeoutMs,
      );
      if (this.processId !== processId) return;
      this.#missedCount = 0;
      this.hear(readAgents(answer));
      this.#probeLater();
    } catch (error) {
      if (this.processId !== processId) return;
      // It is this process that is cut off, or was: that says nothing of the worker.
      if (error instanceof linkErrors.DOWN) {
        this.#probeLater(probeTimeoutMs);
        return;
      }
      if (channel.cutCount === cutCount) this.#missedCount += 1;
      if (this.#missedCount >= missedMax) this.lose("it does not answer");
      else void this.#probe();
    }
  }
}
