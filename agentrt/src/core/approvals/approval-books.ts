import { copyJson, type JsonObject } from "../values/index.ts";
import type { ApprovalRecord } from "./approval.ts";
import { sizeOf } from "./approval-options.ts";
import type { ApprovalRows } from "./approval-rows.ts";
import { approvalErrors } from "./errors.ts";

/** Most approvals that wait, for somebody or for their agent. */
export const openCountMax = 10_000;
/** Most of them of one agent. */
export const openCountMaxPerAgent = 100;
/** Most that are kept after their agent has got them, so that it can be seen who decided what. */
export const deliveredCountMax = 1000;
/** Most decisions that are kept for agents that are not there, such as those that nobody spawns again. */
export const unclaimedCountMax = 1000;
/** Most of the payloads and schemas that are kept. */
const sizeBytesMax = 134_217_728;

/** Which approvals are listed. */
export interface ApprovalFilter {
  /** Name of an agent; that of a keyed agent or a pool stands for all its objects. Default all. */
  readonly agent?: string | undefined;
  /** Default all. */
  readonly status?: ApprovalRecord["status"] | undefined;
  /** Only those asked for after this one; default all. */
  readonly after?: string | undefined;
  /** At most so many, 1 or more; default 100. */
  readonly limit?: number | undefined;
}

/** An approval and what is under way with it. */
export interface Entry {
  record: ApprovalRecord;
  /** Where it is kept. */
  readonly rows: ApprovalRows;
  sizeBytes: number;
  /** True once the agent has paused for it, and that is saved: only then it is decided. */
  isGated: boolean;
  /** True when the agent may have got the decision. */
  isHanded: boolean;
  /** One thing at a time is done with it: of several who decide at once, one is first. */
  turn: Promise<unknown>;
  readonly gateWaiters: (() => void)[];
}

/** An approval as it comes into the books. */
export type NewEntry = Pick<Entry, "record" | "rows" | "isGated" | "isHanded">;

/** What becomes of approvals for which there is no more room. */
export interface BooksOwner {
  /** Its agent has got it, and it was kept for a look. */
  onForgotten(entry: Entry): void;
  /** Its agent never came for it. */
  onLetGo(entry: Entry): void;
}

/**
 * The approvals of one runtime in memory: which there are, which wait, and which are kept though nothing waits for them.
 * Everything in it has a maximum. It knows no store, no time and no agents.
 */
export class ApprovalBooks {
  readonly #owner: BooksOwner;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Those that their agent has not got yet, by agent. */
  readonly #open = new Map<string, Set<string>>();
  /** Those that it has, in the order in which it got them. */
  readonly #delivered = new Set<string>();
  /** Decided ones whose agent was not there to get them, the oldest decision first. */
  readonly #unclaimed = new Set<string>();
  #openCount = 0;
  #sizeBytes = 0;

  /** @param owner Hears of those that had to go. */
  constructor(owner: BooksOwner) {
    this.#owner = owner;
  }

  // What there is.

  /** @returns The approval of that id. */
  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** @returns The ids of all that are kept there, oldest first. */
  *idsOf(rows: ApprovalRows): Iterable<string> {
    for (const [id, entry] of this.#entries) if (entry.rows === rows) yield id;
  }

  /** @returns True for one that is there. */
  has(entry: Entry): boolean {
    return this.#entries.get(entry.record.id) === entry;
  }

  /** The agents that have not got all that they asked for. */
  get openAgents(): Iterable<string> {
    return this.#open.keys();
  }

  /** @returns What an agent has asked for and not got yet. */
  openEntriesOf(agent: string): Entry[] {
    return [...(this.#open.get(agent) ?? [])].flatMap((id) => this.#entries.get(id) ?? []);
  }

  /** @returns The ones that nobody has decided. */
  *pending(): Iterable<Entry> {
    for (const agent of this.#open.keys())
      for (const entry of this.openEntriesOf(agent))
        if (entry.record.status === "pending") yield entry;
  }

  /** @returns Copies of approvals, oldest first. */
  list({ agent, status, after, limit = 100 }: ApprovalFilter): ApprovalRecord[] {
    const found: ApprovalRecord[] = [];
    let isBehind = after === undefined || !this.#entries.has(after);
    for (const [id, { record }] of this.#entries) {
      if (found.length >= limit) break;
      if (!isBehind) {
        isBehind = id === after;
        continue;
      }
      // One that is forgotten by now still has its place: ids sort by time.
      if (after !== undefined && !this.#entries.has(after) && id <= after) continue;
      if (status !== undefined && record.status !== status) continue;
      if (agent !== undefined && !isOf(record.agent, agent)) continue;
      found.push(copyJson(record));
    }
    return found;
  }

  // What comes and goes.

  /**
   * Makes room for one more that waits.
   *
   * @param agent Who asks.
   * @param sizeBytes Of its payload and schema.
   * @throws AGENTRT_APPROVAL_EXHAUSTED.
   */
  makeRoom(agent: string, sizeBytes: number): void {
    const refuse = (reason: string): never => {
      throw new approvalErrors.EXHAUSTED({ agent, reason });
    };
    if ((this.#open.get(agent)?.size ?? 0) >= openCountMaxPerAgent)
      refuse(`${openCountMaxPerAgent} of it wait already`);
    if (this.#openCount >= openCountMax) refuse(`${openCountMax} wait already`);
    while (this.#sizeBytes + sizeBytes > sizeBytesMax && this.#delivered.size > 0)
      this.#forgetOldest();
    if (this.#sizeBytes + sizeBytes > sizeBytesMax)
      refuse(`the payloads of those that wait have ${this.#sizeBytes} bytes already`);
  }

  /** Adds the latest one. */
  add(of: NewEntry): Entry {
    const { payload, schema, editedPayload: edited } = of.record;
    const sizeBytes = [payload, schema, edited].reduce(
      (sum, part) => sum + (part === null ? 0 : sizeOf(part)),
      0,
    );
    const entry: Entry = { ...of, sizeBytes, turn: Promise.resolve(), gateWaiters: [] };
    const { id, agent, isDelivered } = of.record;
    this.#entries.set(id, entry);
    this.#sizeBytes += sizeBytes;
    if (isDelivered) this.#delivered.add(id);
    else {
      const ids = this.#open.get(agent) ?? new Set();
      this.#open.set(agent, ids.add(id));
      this.#openCount += 1;
    }
    return entry;
  }

  /** Adds what is older than all that there is, oldest first. */
  addOlder(older: readonly NewEntry[]): void {
    const later = [...this.#entries];
    this.#entries.clear();
    for (const of of older) this.add(of);
    for (const [id, entry] of later) this.#entries.set(id, entry);
  }

  /** Adds what another process had, each where its id belongs. */
  merge(others: readonly NewEntry[]): void {
    if (others.length === 0) return;
    for (const of of others) this.add(of);
    const all = [...this.#entries].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#entries.clear();
    for (const [id, entry] of all) this.#entries.set(id, entry);
  }

  /** Takes out all that are kept there. @returns Those. */
  dropAll(rows: ReadonlySet<ApprovalRows>): Entry[] {
    const dropped = [...this.#entries.values()].filter((entry) => rows.has(entry.rows));
    for (const entry of dropped) {
      this.#delivered.delete(entry.record.id);
      this.drop(entry);
    }
    return dropped;
  }

  /** Another payload was approved: it is kept as well. */
  grow(entry: Entry, edited: JsonObject): void {
    if (!this.has(entry)) return;
    const sizeBytes = sizeOf(edited);
    entry.sizeBytes += sizeBytes;
    this.#sizeBytes += sizeBytes;
  }

  /** Nothing more happens to it: it is kept for a look, and the oldest of those go. */
  close(entry: Entry): void {
    this.#unlist(entry);
    this.#delivered.add(entry.record.id);
    while (this.#delivered.size > deliveredCountMax) this.#forgetOldest();
  }

  /** Its agent is not there to get the decision: it is kept, and the oldest of those go. */
  keepUnclaimed(entry: Entry): void {
    this.#unclaimed.add(entry.record.id);
    for (const id of this.#unclaimed) {
      if (this.#unclaimed.size <= unclaimedCountMax) return;
      this.#unclaimed.delete(id);
      const oldest = this.#entries.get(id);
      if (oldest === undefined) continue;
      this.drop(oldest);
      this.#owner.onLetGo(oldest);
    }
  }

  /** It is there no more; who waits for its gate hears of it. */
  drop(entry: Entry): void {
    this.#unlist(entry);
    if (this.#entries.delete(entry.record.id)) this.#sizeBytes -= entry.sizeBytes;
    for (const onGated of entry.gateWaiters.splice(0)) onGated();
  }

  #forgetOldest(): void {
    const [id] = this.#delivered;
    if (id === undefined) return;
    this.#delivered.delete(id);
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.drop(entry);
    this.#owner.onForgotten(entry);
  }

  #unlist({ record: { id, agent } }: Entry): void {
    this.#unclaimed.delete(id);
    const ids = this.#open.get(agent);
    if (ids?.delete(id) !== true) return;
    this.#openCount -= 1;
    if (ids.size === 0) this.#open.delete(agent);
  }
}

function isOf(agent: string, wanted: string): boolean {
  return agent === wanted || agent.startsWith(`${wanted}/`);
}
