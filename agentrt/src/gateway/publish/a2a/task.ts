import type { JsonObject, System } from "../../../core/index.ts";
import type { PublishedAgent } from "../published-agent.ts";

/** Where a task is in its life. */
export type TaskState =
  | "submitted"
  | "working"
  | "input-required"
  | "completed"
  | "failed"
  | "canceled"
  | "rejected";

/** A piece of content: text, or any JSON object. */
export type Part = { readonly text: string } | { readonly data: JsonObject };

/** What a client, or the agent, has said. */
export interface TaskMessage {
  readonly messageId: string;
  readonly role: "user" | "agent";
  readonly parts: readonly Part[];
}

/** What happens to a task. */
export type TaskEvent =
  | { readonly kind: "status" }
  /** A part of the reply: the first makes the artifact, the others are put at its end. */
  | { readonly kind: "part"; readonly part: Part; readonly isFirst: boolean };

/** Parts of a reply that a task keeps, and characters of them; those that listen get all. */
const partCountMax = 1_000;
const partsLengthMax = 262_144;

/** What a task begins with. */
export interface TaskInit {
  readonly id: string;
  readonly contextId: string;
  /** Whose it is. */
  readonly owner: string;
  readonly agent: PublishedAgent;
  readonly message: TaskMessage;
  readonly system: System;
}

/** One piece of work that a client gave to an agent. */
export class Task {
  readonly id: string;
  readonly contextId: string;
  readonly owner: string;
  readonly agent: PublishedAgent;
  readonly history: readonly TaskMessage[];
  /** Aborted when it is canceled. */
  readonly cancelling = new AbortController();
  readonly #system: System;
  readonly #listeners = new Set<(event: TaskEvent) => void>();
  readonly #parts: Part[] = [];
  #partsLength = 0;
  #partCount = 0;
  #state: TaskState = "submitted";
  #note: string | undefined;
  #changedAtMs: number;

  constructor({ id, contextId, owner, agent, message, system }: TaskInit) {
    this.id = id;
    this.contextId = contextId;
    this.owner = owner;
    this.agent = agent;
    this.history = [message];
    this.#system = system;
    this.#changedAtMs = system.nowMs();
  }

  get state(): TaskState {
    return this.#state;
  }

  /** What is to be said about its state: why it failed, what it waits for. */
  get note(): string | undefined {
    return this.#note;
  }

  /** When its state changed: wall-clock milliseconds since the Unix epoch. */
  get changedAtMs(): number {
    return this.#changedAtMs;
  }

  /** The reply, as far as it is there. */
  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** Parts of the reply that were not kept. */
  get droppedPartCount(): number {
    return this.#partCount - this.#parts.length;
  }

  /** True when nothing changes it any more. */
  get isOver(): boolean {
    return !["submitted", "working", "input-required"].includes(this.#state);
  }

  /** True when its client has nothing to wait for: it is over, or waits for a person. */
  get isSettled(): boolean {
    return this.isOver || this.#state === "input-required";
  }

  /** Takes its next state, unless it is over. */
  enter(state: TaskState, note?: string): void {
    if (this.isOver || (state === this.#state && note === this.#note)) return;
    this.#state = state;
    this.#note = note;
    this.#changedAtMs = this.#system.nowMs();
    this.#tell({ kind: "status" });
  }

  /** Takes a part of the reply. */
  add(part: Part): void {
    if (this.isOver) return;
    this.#partCount += 1;
    this.#partsLength += JSON.stringify(part).length;
    const hasRoom = this.#parts.length < partCountMax && this.#partsLength <= partsLengthMax;
    // The first is all of a reply that comes in one piece.
    if (hasRoom || this.#partCount === 1) this.#parts.push(part);
    this.#tell({ kind: "part", part, isFirst: this.#partCount === 1 });
  }

  /** @returns Ends it. */
  listen(listener: (event: TaskEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Settles when the task has, or when the signal is aborted. */
  async settled(signal: AbortSignal): Promise<void> {
    if (this.isSettled || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        leave();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const leave = this.listen(() => {
        if (this.isSettled) end();
      });
      signal.addEventListener("abort", end, { once: true });
    });
  }

  #tell(event: TaskEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
