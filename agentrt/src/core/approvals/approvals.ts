import { Alarm, type Log, type StateStore, type System, type TimerWheel } from "../ports/index.ts";
import { agentErrors } from "../errors.ts";
import type { SuspensionApprovals, SuspensionRequest } from "../suspension/index.ts";
import { Approval, type ApprovalRecord, isNotGranted } from "./approval.ts";
import type { ApprovalEvent, ApprovalFaultEvent } from "./approval-event.ts";
import { copyJson, reasonOf } from "../values/index.ts";
import type { AskedApproval } from "./approval-options.ts";
import {
  ApprovalBooks,
  type ApprovalFilter,
  type Entry,
  type NewEntry,
  openCountMax,
} from "./approval-books.ts";
import {
  ApprovalRows,
  type ApprovalRowsHome,
  type StoredApprovals,
  type UnreadableApproval,
} from "./approval-rows.ts";
import { checkDecision, type Decision, editedPayload } from "./decision.ts";
import { approvalErrors } from "./errors.ts";
import { approvalKeysOf } from "./saved-approval.ts";

/** How long a decision waits for the agent to pause. */
const gateTimeoutMs = 5_000;
/** How long a start waits for what was saved. */
const loadTimeoutMs = 5_000;
/** How long after a fault something is tried again. */
const retryMs = 1_000;
/** The wall clock is looked at again after this time at the latest. */
const lookMs = 3_600_000;
const toldCountMax = 20;
/** How many places are read at once. */
const placeCountMax = 16;

/** What approvals need of the kernel. */
export interface ApprovalsHome extends ApprovalRowsHome {
  readonly system: System;
  readonly wheel: TimerWheel;
  readonly log: Log;
  emit(event: ApprovalEvent | ApprovalFaultEvent): void;
}

/** Where the approvals of some agents are kept, of which one of several processes has charge at a time. */
export interface ApprovalPlace {
  /** Such as `ticket/17`. */
  readonly name: string;
  /** Reads and writes them, and the states of those agents. */
  readonly store: StateStore;
}

/** What was found where nobody has charge. */
export interface LookedApprovals {
  readonly approvals: readonly ApprovalRecord[];
  /** False where some of it cannot be read. */
  readonly isWhole: boolean;
}

interface ReadPlace {
  readonly name: string;
  readonly rows: ApprovalRows;
  readonly stored: StoredApprovals;
}

/** The part of an agent that gets decisions. */
interface Asker {
  onApproval(approval: Approval): void | PromiseLike<void>;
}

/**
 * The approvals of one runtime: asked for by agents, decided by people or by the time, given to the agent that asked.
 *
 *     suspendForApproval ─▶ list and row saved ─▶ agent pauses, saved with its state (the gate) ─▶ pending
 *     decide ─▶ row saved ─▶ acknowledged ─▶ onApproval ─▶ saved with its state: waits no more ─▶ row: delivered
 *
 * Each step is saved before the next one begins. Whatever is killed between two of them, the next start goes on from there:
 * what the state of the agent waits for and the row calls decided is given to the agent, and what the state does not
 * wait for any more was given before.
 */
export class Approvals implements SuspensionApprovals {
  readonly #home: ApprovalsHome;
  readonly #rows: ApprovalRows;
  readonly #books: ApprovalBooks;
  /** Of the places that this process has charge of. */
  readonly #places = new Map<string, ApprovalRows>();
  /** Those of which something cannot be read. */
  readonly #unreadable = new Set<ApprovalRows>();
  readonly #retries = new Set<string>();
  readonly #works = new Set<Promise<unknown>>();
  readonly #expiryAlarm = new Alarm(() => this.#onExpiryDue());
  readonly #retryAlarm = new Alarm(() => this.#onRetryDue());
  #expiryAtMs = Number.POSITIVE_INFINITY;
  #isRetryArmed = false;
  #isLoaded = false;
  #hasBegun = false;
  #isClosed = false;
  #loading: Promise<void> | undefined;
  /** Has an agent look at its approvals, and starts the object of a key for it. False when nobody has the name. */
  wake: (agent: string) => boolean = () => false;
  /** Names the place of an agent that is at one of several processes; undefined for one of this process. */
  placeOf: (agent: string) => string | undefined = () => undefined;

  /** @param home Keeps them and hears of them. */
  constructor(home: ApprovalsHome) {
    this.#home = home;
    this.#rows = this.#makeRows(home);
    this.#books = new ApprovalBooks({
      onForgotten: (entry) => {
        this.#inTurn(entry, () => entry.rows.remove(entry.record.id)).catch(() => undefined);
      },
      onLetGo: (entry) => this.#letGo(entry),
    });
  }

  #makeRows(home: ApprovalRowsHome, place?: string): ApprovalRows {
    const keys = approvalKeysOf(place);
    return new ApprovalRows(home, { keys, ids: (rows) => this.#books.idsOf(rows) });
  }

  /** @throws AGENTRT_APPROVAL_ELSEWHERE. */
  #rowsOf(agent: string): ApprovalRows {
    const place = this.placeOf(agent);
    const rows = place === undefined ? this.#rows : this.#places.get(place);
    if (rows === undefined) throw new approvalErrors.ELSEWHERE({ place: place ?? "" });
    return rows;
  }

  // The start.

  /** {@inheritDoc SuspensionApprovals.isLoaded} */
  isLoaded(agent: string): boolean {
    const place = this.placeOf(agent);
    if (place === undefined) return this.#isLoaded;
    const rows = this.#places.get(place);
    return rows !== undefined && rows.fault === undefined;
  }

  /**
   * Reads what was saved of an agent, where that is not done.
   *
   * @throws What the store throws, and then it is tried again the next time; AGENTRT_APPROVAL_ELSEWHERE; what keeps the list
   *   of its place from being read.
   */
  async load(agent: string): Promise<void> {
    const rows = this.#rowsOf(agent);
    if (rows.fault !== undefined) throw rows.fault;
    if (rows === this.#rows) await this.#loadOnce();
  }

  #loadOnce(): Promise<void> {
    if (this.#isLoaded) return Promise.resolve();
    return (this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    }));
  }

  /**
   * Reads what was saved, at the start. What cannot be read, or not in time, is read later: agents that wait are held by
   * their own states.
   */
  async loadInTime(): Promise<void> {
    const { wheel, system, log } = this.#home;
    const loaded = this.#loadOnce().catch((error: unknown) => {
      log.warn("approvals cannot be read; it is tried again", { error });
    });
    await new Promise<void>((resolve) => {
      const alarm = new Alarm(() => {
        log.warn("approvals were not read in time; the start goes on", { loadTimeoutMs });
        resolve();
      });
      wheel.arm(alarm, system.monotonicMs() + loadTimeoutMs);
      void loaded.then(() => {
        wheel.disarm(alarm);
        resolve();
      });
    });
  }

  async #load(): Promise<void> {
    const stored = await this.#rows.read();
    this.#books.addOlder(entriesOf(this.#rows, stored));
    this.#isLoaded = true;
    this.#noteUnreadable([{ rows: this.#rows, stored }]);
  }

  /** False where some of those that this process has charge of cannot be read, or are not yet. */
  get isWhole(): boolean {
    return this.#isLoaded && this.#unreadable.size === 0;
  }

  #noteUnreadable(read: readonly Pick<ReadPlace, "rows" | "stored">[]): void {
    for (const { rows, stored } of read)
      if (stored.unreadable.length > 0) this.#unreadable.add(rows);
    this.#tellUnreadable(read.flatMap(({ stored }) => stored.unreadable));
  }

  #tellUnreadable(unreadable: readonly UnreadableApproval[]): void {
    const { log, system } = this.#home;
    for (const { id, agent, place, error } of unreadable.slice(0, toldCountMax)) {
      if (id === null)
        log.error("a list of approvals cannot be read and is left", { place, error });
      else log.error("an approval cannot be read and is left as it is", { id, agent, error });
      const about = agent === null ? {} : { name: agent };
      const reason = reasonOf(error);
      const atMs = system.nowMs();
      this.#home.emit({ type: "approval.unreadable", id, ...about, place, reason, atMs });
    }
    if (unreadable.length > toldCountMax)
      log.error("more approvals cannot be read", { count: unreadable.length });
  }

  /**
   * Takes charge of places: what waits there is listed, decided and given to its agents here from now on.
   *
   * @param places Which; of one that this process has charge of, all is read again.
   * @throws What their stores throw: then nothing has changed but that this process has charge of none of them.
   */
  async adopt(places: readonly ApprovalPlace[]): Promise<void> {
    await this.abandon(places.map(({ name }) => name));
    const read = await this.#readAll(places);
    for (const { name, rows } of read) this.#places.set(name, rows);
    const found = read.flatMap(({ rows, stored }) => entriesOf(rows, stored));
    this.#books.merge(found);
    this.#noteUnreadable(read);
    if (found.length > 0) this.#goOn(new Set(found.map(({ record }) => record.agent)));
  }

  /**
   * Looks at places that this process has no charge of.
   *
   * @param places Which; their stores are only read.
   * @returns What is kept there, as far as it can be read.
   * @throws What their stores throw that may be over some time.
   */
  async look(places: readonly ApprovalPlace[]): Promise<LookedApprovals> {
    const read = await this.#readAll(places);
    const stored = read.map((each) => each.stored);
    return {
      approvals: stored.flatMap(({ approvals }) => approvals.map(({ record }) => record)),
      isWhole: stored.every(({ unreadable }) => unreadable.length === 0),
    };
  }

  async #readAll(places: readonly ApprovalPlace[]): Promise<ReadPlace[]> {
    const read: ReadPlace[] = [];
    const left = [...places];
    while (left.length > 0) {
      const part = left.splice(0, placeCountMax).map(async ({ name, store }) => {
        const rows = this.#makeRows({ ...this.#home, store }, name);
        return { name, rows, stored: await rows.read() };
      });
      read.push(...(await Promise.all(part)));
    }
    return read;
  }

  /**
   * Hands places over: another process has charge of them. Nothing is withdrawn.
   *
   * @param places Names of them.
   * @returns Settles when all that was under way with them is written, or has failed.
   */
  async abandon(places: Iterable<string>): Promise<void> {
    const gone = new Set<ApprovalRows>();
    for (const name of places) {
      const rows = this.#places.get(name);
      if (rows !== undefined) gone.add(rows);
      this.#places.delete(name);
    }
    if (gone.size === 0) return;
    // A list that is written later has what goes from here.
    for (const rows of gone) {
      rows.freeze();
      this.#unreadable.delete(rows);
    }
    const turns = this.#books.dropAll(gone).map(({ turn }) => turn);
    await Promise.all(turns);
    for (const rows of gone) rows.close();
  }

  /** The tree has started: what was decided and not yet given is given, what is over its time expires. */
  begin(): void {
    this.#hasBegun = true;
    if (!this.#isLoaded) return this.#retryLater(undefined);
    this.#tellWaiting();
    this.#goOn(this.#books.openAgents);
  }

  #goOn(agents: Iterable<string>): void {
    if (!this.#hasBegun) return;
    for (const agent of agents) if (this.#hasWorkFor(agent)) this.#wakeOrGate(agent);
    this.#armExpiry(0);
  }

  #tellWaiting(): void {
    const pending = this.list({ status: "pending", limit: openCountMax });
    for (const { id, agent, kind } of pending.slice(0, toldCountMax))
      this.#home.log.warn("an approval waits from before", { id, agent, kind });
    if (pending.length > toldCountMax) {
      const count = pending.length;
      this.#home.log.warn("more approvals wait from before", { count });
    }
  }

  #hasWorkFor(agent: string): boolean {
    return this.openOf(agent).some(({ isPending, isGated }) => !isPending || !isGated);
  }

  /** An agent that is not there, such as a spawned one, waits all the same once it is. */
  #wakeOrGate(agent: string): void {
    if (this.wake(agent)) return;
    for (const entry of this.#books.openEntriesOf(agent)) {
      const { id, status, createdAtMs, kind } = entry.record;
      if (status !== "pending") this.#books.keepUnclaimed(entry);
      if (status !== "pending" || entry.isGated) continue;
      const marker = {
        reason: `approval: ${kind}`,
        category: "hitl_approval",
        since: createdAtMs / 1000,
        approvals: [],
        isHeld: false,
      } as const;
      const gated = this.#inTurn(entry, () => entry.rows.gate(entry.record, marker));
      gated.then(
        () => this.confirmGate(id),
        (error: unknown) => this.#home.log.error("an agent is not suspended", { agent, error }),
      );
    }
  }

  /** Settles when all is written, or has failed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#home.wheel.disarm(this.#expiryAlarm);
    this.#home.wheel.disarm(this.#retryAlarm);
    while (this.#works.size > 0) await Promise.allSettled(this.#works);
  }

  // What agents ask.

  /**
   * Takes note of what an agent asks to be approved.
   *
   * @param agent Who asks.
   * @param asked What.
   * @returns Its id, and what settles once it is saved.
   * @throws AGENTRT_APPROVAL_EXHAUSTED, AGENTRT_APPROVAL_ELSEWHERE.
   */
  ask(
    agent: { readonly name: string; readonly key: string | undefined },
    asked: AskedApproval,
  ): { readonly id: string; readonly saved: Promise<void> } {
    const rows = this.#rowsOf(agent.name);
    this.#books.makeRoom(agent.name, asked.sizeBytes);
    const { system } = this.#home;
    const createdAtMs = system.nowMs();
    const record: ApprovalRecord = {
      id: system.nextId(),
      agent: agent.name,
      key: agent.key ?? null,
      kind: asked.kind,
      payload: asked.payload,
      schema: asked.schema,
      createdAtMs,
      expiresAtMs: createdAtMs + asked.expiresMs,
      status: "pending",
      decidedAtMs: null,
      principal: null,
      note: null,
      editedPayload: null,
      isDelivered: false,
    };
    const entry = this.#books.add({ record, rows, isGated: false, isHanded: false });
    return { id: record.id, saved: this.#inTurn(entry, () => this.#saveNew(entry)) };
  }

  async #saveNew(entry: Entry): Promise<void> {
    const { record, rows } = entry;
    try {
      if (rows === this.#rows) await this.#loadOnce();
      await rows.saveIndex();
      await rows.put(record);
    } catch (error) {
      this.#books.drop(entry);
      // It may have been written all the same.
      rows.remove(record.id).catch(() => undefined);
      throw error;
    }
  }

  /** @returns What an agent has asked for and not got yet. */
  openOf(
    agent: string,
  ): { readonly id: string; readonly isPending: boolean; readonly isGated: boolean }[] {
    return this.#books.openEntriesOf(agent).map(({ record: { id, status }, isGated }) => {
      return { id, isPending: status === "pending", isGated };
    });
  }

  /** @returns The ids of those that somebody has to decide about. */
  pendingOf(agent: string): string[] {
    return this.openOf(agent).flatMap(({ id, isPending }) => (isPending ? [id] : []));
  }

  // What the suspension of an agent asks.

  /**
   * Makes the request by which an agent pauses for an approval, or gets the decision.
   *
   * @param id Of an approval that `openOf` lists.
   * @param saved Settles once it is saved; default when it is, however long ago it was asked.
   */
  requestOf(id: string, saved = this.#savedOf(id)): SuspensionRequest {
    const record = this.#books.get(id)?.record;
    const agent = record?.agent ?? "";
    const onDone = (): void => undefined;
    // One that has stopped looks when it starts.
    const onGone = (error: Error): void => {
      if (error instanceof agentErrors.SUSPENSION_BUSY) this.#retryLater(agent);
    };
    if (record?.status !== "pending") return { kind: "deliver", id, onDone, onGone };
    return {
      kind: "suspend",
      reason: `approval: ${record.kind}`,
      category: "hitl_approval",
      initiatedBy: agent,
      approval: { id, saved },
      onDone,
      onGone,
    };
  }

  async #savedOf(id: string): Promise<void> {
    await this.#books.get(id)?.turn;
  }

  /** True while nobody has decided. */
  isPending(id: string): boolean {
    return this.#books.get(id)?.record.status === "pending";
  }

  /** True while the agent is to pause for it, or to be given the decision. */
  isOpen(id: string): boolean {
    return this.#books.get(id)?.record.isDelivered === false;
  }

  /** True when there is a decision that the agent has not got, or nobody knows whether it has. */
  isToHand(id: string): boolean {
    const entry = this.#books.get(id);
    if (entry === undefined || !entry.isGated) return false;
    return entry.record.status !== "pending" && !entry.record.isDelivered;
  }

  /** Who decided; what a resumed agent was resumed by. */
  principalOf(id: string): string {
    return this.#books.get(id)?.record.principal ?? "expiry";
  }

  /** The agent has paused for it, and that is saved. */
  confirmGate(id: string): void {
    const entry = this.#books.get(id);
    if (entry === undefined || entry.isGated) return;
    entry.isGated = true;
    const { agent, kind, expiresAtMs } = entry.record;
    this.#home.log.info("an approval waits", { id, agent, kind });
    const atMs = this.#home.system.nowMs();
    this.#home.emit({ type: "approval.requested", id, name: agent, kind, expiresAtMs, atMs });
    for (const onGated of entry.gateWaiters.splice(0)) onGated();
    this.#armExpiry(expiresAtMs);
  }

  /**
   * Gives a decision to the agent.
   *
   * @throws What its hook throws, unless that only says that it was not granted.
   */
  async hand(id: string, agent: Asker): Promise<void> {
    const entry = this.#books.get(id);
    if (entry === undefined) return;
    const approval = new Approval(entry.record, entry.isHanded);
    entry.isHanded = true;
    try {
      await agent.onApproval(approval);
    } catch (error) {
      if (!isNotGranted(error, id)) throw error;
    }
  }

  /** The agent has got the decision, and its state says so. */
  confirmDelivered(id: string): void {
    const entry = this.#books.get(id);
    if (entry === undefined || entry.record.isDelivered) return;
    entry.record = { ...entry.record, isDelivered: true };
    this.#books.close(entry);
    // When this fails, the next start finds out by the state of the agent.
    this.#inTurn(entry, () => entry.rows.put(entry.record)).catch(() => undefined);
  }

  /** Something about an agent could not be saved: it is asked again. */
  retryLater(agent: string): void {
    this.#retryLater(agent);
  }

  /**
   * Withdraws what an agent has asked for that is gone for good, with all that it has saved.
   *
   * @returns Settles when that is saved; undefined when it has asked for nothing.
   */
  withdraw(agent: string): Promise<void> | undefined {
    const entries = this.#books.openEntriesOf(agent);
    if (entries.length === 0) return undefined;
    for (const entry of entries) this.#books.close(entry);
    const works = entries.map((entry) => this.#inTurn(entry, () => this.#withdraw(entry)));
    return Promise.all(works).then(() => undefined);
  }

  async #withdraw(entry: Entry): Promise<void> {
    const isPending = entry.record.status === "pending";
    const decidedAtMs = this.#home.system.nowMs();
    const ended = { status: "expired", decidedAtMs, note: "its agent has ended" } as const;
    entry.record = { ...entry.record, ...(isPending ? ended : {}), isDelivered: true };
    for (const onGated of entry.gateWaiters.splice(0)) onGated();
    if (isPending) this.#tellExpired(entry.record);
    await entry.rows.put(entry.record);
  }

  /** A group goes on: its objects get what was decided meanwhile. */
  wakeGroup(name: string): void {
    for (const agent of this.#books.openAgents)
      if (agent.startsWith(`${name}/`) && this.#hasWorkFor(agent)) this.wake(agent);
  }

  // What people ask.

  /** How many somebody has to decide about. */
  get pendingCount(): number {
    return [...this.#books.pending()].length;
  }

  /**
   * Finds an approval.
   *
   * @throws AGENTRT_APPROVAL_UNKNOWN.
   */
  get(id: string): ApprovalRecord {
    const entry = this.#books.get(id);
    if (entry === undefined) throw new approvalErrors.UNKNOWN({ id });
    return copyJson(entry.record);
  }

  /** Lists approvals, oldest first. */
  list(filter: ApprovalFilter): ApprovalRecord[] {
    return this.#books.list(filter);
  }

  /**
   * Decides about an approval: once, for all who ask at the same time.
   *
   * @param id Of it.
   * @param decision What, and by whom.
   * @returns The approval, once that is saved.
   * @throws AGENTRT_APPROVAL_UNKNOWN, AGENTRT_APPROVAL_DECIDED, AGENTRT_APPROVAL_NOT_READY,
   *   AGENTRT_APPROVAL_DECISION_INVALID, AGENTRT_APPROVAL_PAYLOAD_INVALID; what the store throws, and then nothing is decided.
   */
  async decide(id: string, decision: Decision): Promise<ApprovalRecord> {
    checkDecision(id, decision);
    await this.#loadOnce();
    const entry = this.#books.get(id);
    if (entry === undefined) throw new approvalErrors.UNKNOWN({ id });
    await this.#awaitGate(entry);
    const decided = await this.#inTurn(entry, () => this.#decide(entry, decision));
    this.#wakeFor(entry);
    return decided;
  }

  #wakeFor(entry: Entry): void {
    // Another process may have charge of it by now, and wakes it there.
    if (!this.#books.has(entry)) return;
    if (!this.wake(entry.record.agent)) this.#books.keepUnclaimed(entry);
  }

  #letGo(entry: Entry): void {
    const { id, agent, status } = entry.record;
    this.#home.log.warn("a decision is forgotten: its agent never came for it", {
      id,
      agent,
      status,
    });
    this.#inTurn(entry, async () => {
      await entry.rows.ungate(entry.record);
      await entry.rows.remove(id);
    }).catch(() => undefined);
  }

  async #decide(entry: Entry, decision: Decision): Promise<ApprovalRecord> {
    await this.#expireIfDue(entry);
    const { record } = entry;
    const { id, agent, kind } = record;
    if (!this.#books.has(entry)) throw new approvalErrors.ELSEWHERE({ place: agent });
    if (record.status !== "pending") {
      const { status, principal, decidedAtMs } = record;
      throw new approvalErrors.DECIDED({ id, status, principal, atMs: decidedAtMs ?? 0 });
    }
    if (!entry.isGated) throw new approvalErrors.NOT_READY({ id, agent });
    const { principal, note = null } = decision;
    const atMs = this.#home.system.nowMs();
    const isApproved = decision.kind === "approve";
    const decided: ApprovalRecord = {
      ...record,
      status: isApproved ? "approved" : "denied",
      decidedAtMs: atMs,
      principal,
      note,
      editedPayload: isApproved ? editedPayload(record, decision.payload) : null,
    };
    await entry.rows.put(decided);
    entry.record = decided;
    if (decided.editedPayload !== null) this.#books.grow(entry, decided.editedPayload);
    const type = isApproved ? "approval.approved" : "approval.denied";
    this.#home.log.info(`approval ${decided.status}`, { id, agent, kind, principal });
    const isEdited = decided.editedPayload !== null;
    this.#home.emit({ type, id, name: agent, kind, principal, note, isEdited, atMs });
    return copyJson(decided);
  }

  /** An agent that is still at its message pauses soon; one that is not there is woken for it. */
  async #awaitGate(entry: Entry): Promise<void> {
    if (entry.isGated || entry.record.status !== "pending") return;
    this.wake(entry.record.agent);
    const { wheel, system } = this.#home;
    await new Promise<void>((resolve) => {
      const alarm = new Alarm(resolve);
      wheel.arm(alarm, system.monotonicMs() + gateTimeoutMs);
      entry.gateWaiters.push(() => {
        wheel.disarm(alarm);
        resolve();
      });
    });
  }

  // Time.

  #armExpiry(atMs: number): void {
    if (this.#isClosed || atMs >= this.#expiryAtMs) return;
    const { wheel, system } = this.#home;
    if (this.#expiryAtMs !== Number.POSITIVE_INFINITY) wheel.disarm(this.#expiryAlarm);
    this.#expiryAtMs = atMs;
    const delayMs = Math.min(Math.max(0, atMs - system.nowMs()), lookMs);
    wheel.arm(this.#expiryAlarm, system.monotonicMs() + delayMs);
  }

  #onExpiryDue(): void {
    this.#expiryAtMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#home.system.nowMs();
    let nextAtMs = Number.POSITIVE_INFINITY;
    for (const entry of this.#books.pending()) {
      if (!entry.isGated) continue;
      if (entry.record.expiresAtMs > nowMs) nextAtMs = Math.min(nextAtMs, entry.record.expiresAtMs);
      else this.#expire(entry);
    }
    if (nextAtMs !== Number.POSITIVE_INFINITY) this.#armExpiry(nextAtMs);
  }

  #expire(entry: Entry): void {
    this.#inTurn(entry, () => this.#expireIfDue(entry)).catch((error: unknown) => {
      const { id, agent } = entry.record;
      this.#home.log.warn("an approval is over its time and cannot be saved", { id, agent, error });
      this.#armExpiry(this.#home.system.nowMs() + retryMs);
    });
  }

  async #expireIfDue(entry: Entry): Promise<void> {
    const { record } = entry;
    if (!this.#books.has(entry)) return;
    const decidedAtMs = this.#home.system.nowMs();
    if (record.status !== "pending" || !entry.isGated || record.expiresAtMs > decidedAtMs) return;
    const expired: ApprovalRecord = { ...record, status: "expired", decidedAtMs };
    await entry.rows.put(expired);
    entry.record = expired;
    this.#tellExpired(expired);
    this.#wakeFor(entry);
  }

  #tellExpired({ id, agent, kind, decidedAtMs }: ApprovalRecord): void {
    this.#home.log.info("approval expired", { id, agent, kind });
    this.#home.emit({ type: "approval.expired", id, name: agent, kind, atMs: decidedAtMs ?? 0 });
  }

  #retryLater(agent: string | undefined): void {
    if (this.#isClosed) return;
    if (agent !== undefined) this.#retries.add(agent);
    if (this.#isRetryArmed) return;
    this.#isRetryArmed = true;
    const { wheel, system } = this.#home;
    wheel.arm(this.#retryAlarm, system.monotonicMs() + retryMs);
  }

  #onRetryDue(): void {
    this.#isRetryArmed = false;
    if (!this.#isLoaded && this.#hasBegun) {
      this.#track(this.#loadOnce()).then(
        () => this.begin(),
        () => this.#retryLater(undefined),
      );
    }
    const agents = [...this.#retries];
    this.#retries.clear();
    for (const agent of agents) this.wake(agent);
  }

  #inTurn<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result> {
    const done = entry.turn.then(work);
    entry.turn = done.catch(() => undefined);
    return this.#track(done);
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const end = (): void => void this.#works.delete(settled);
    const settled = work.then(end, end);
    this.#works.add(settled);
    return work;
  }
}

function entriesOf(rows: ApprovalRows, { approvals }: StoredApprovals): NewEntry[] {
  return approvals.map(({ record, isGated }) => {
    return { record, rows, isGated, isHanded: record.status !== "pending" };
  });
}
