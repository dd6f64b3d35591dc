import {
  agentErrors,
  type JsonObject,
  type MessageDigest,
  type Redactor,
  RingBuffer,
} from "../../core/index.ts";
import { crashIdElsewhere } from "../../runtime/index.ts";
import { causeBody, errorBody } from "./error-body.ts";
import { messageBody } from "./message-body.ts";
import type { CrashBody, CrashSummaryBody } from "../wire-history.ts";

/** Crashes that are kept; beyond it the oldest goes. */
export const crashCountMax = 200;

/** One crash. */
interface Crash {
  readonly id: string;
  /** False for one of another process. */
  readonly isOwn: boolean;
  readonly agent: string;
  readonly atMs: number;
  readonly error: unknown;
  readonly message: MessageDigest | null;
}

/** What an event says of a crash. */
export interface CrashNote {
  readonly agent: string;
  readonly atMs: number;
  readonly error: unknown;
  readonly message: MessageDigest | null;
  /** Under which it is recorded; undefined where it is not. */
  readonly crashId?: string | undefined;
}

/** The latest crashes of a tree, each under an id. */
export class CrashBook {
  readonly #epoch: string;
  readonly #redactor: Redactor;
  readonly #crashes = new RingBuffer<Crash>();
  /** The last crash of each agent that has one among those that are kept. */
  readonly #lastOf = new Map<string, Crash>();
  #count = 0;

  /**
   * @param epoch Begins every id, so that those of another run, or of another process, are told apart.
   * @param redactor Takes secrets out of messages and stacks.
   */
  constructor(epoch: string, redactor: Redactor) {
    this.#epoch = epoch;
    this.#redactor = redactor;
  }

  /**
   * Takes note of a crash.
   *
   * @returns Its id; undefined for a restart that somebody asked for, which is not a crash.
   */
  add(note: CrashNote): string | undefined {
    if (note.error instanceof agentErrors.RESTART_REQUESTED) return undefined;
    this.#count += 1;
    const { crashId, ...said } = note;
    const elsewhere = crashIdElsewhere(note.error);
    const id = elsewhere ?? crashId ?? `${this.#epoch}-c${this.#count}`;
    const crash = { id, isOwn: elsewhere === undefined, ...said };
    if (this.#crashes.length >= crashCountMax) {
      const oldest = this.#crashes.shift();
      if (oldest !== undefined && this.#lastOf.get(oldest.agent) === oldest)
        this.#lastOf.delete(oldest.agent);
    }
    this.#crashes.push(crash);
    this.#lastOf.set(note.agent, crash);
    return crash.id;
  }

  /**
   * Finds the crash that a supervisor tells of: its child told of the same error before, or it is a supervisor.
   *
   * @returns Its id, as `add`, and whether it is a new one.
   */
  idOf(note: Omit<CrashNote, "message">): {
    readonly id: string | undefined;
    readonly isNew: boolean;
  } {
    const last = this.#lastOf.get(note.agent);
    if (last !== undefined && Object.is(last.error, note.error))
      return { id: last.id, isNew: false };
    return { id: this.add({ ...note, message: null }), isNew: true };
  }

  /** @returns The id of the last crash of an agent, where it was by this error. */
  findId(agent: string, error: unknown): string | undefined {
    const last = this.#lastOf.get(agent);
    return last !== undefined && Object.is(last.error, error) ? last.id : undefined;
  }

  /** @returns True for the id of a crash that happened in this process. */
  isOwn(id: string): boolean {
    if (id.startsWith(`${this.#epoch}-`)) return true;
    for (const crash of this.#crashes) if (crash.id === id) return crash.isOwn;
    return false;
  }

  /** @returns The summaries of those that are kept, oldest first. */
  list(): CrashSummaryBody[] {
    return this.#crashes.toArray().map((crash) => this.#summaryOf(crash));
  }

  /** @returns The last crash of an agent, if it is kept. */
  lastOf(agent: string): CrashSummaryBody | undefined {
    const crash = this.#lastOf.get(agent);
    return crash === undefined ? undefined : this.#summaryOf(crash);
  }

  /**
   * Finds a crash.
   *
   * @param id Of the crash.
   * @param record What was recorded of it.
   * @returns All that is known of it, if it is kept.
   */
  find(id: string, record: JsonObject | undefined): CrashBody | undefined {
    for (const crash of this.#crashes) {
      if (crash.id !== id) continue;
      const { agent, atMs, error, message } = crash;
      return {
        id,
        agent,
        timestamp: atMs / 1000,
        error: errorBody(error, this.#redactor),
        message_at_hand: message === null ? null : messageBody(message),
        trace_id: message?.traceId ?? null,
        record: record ?? null,
      };
    }
    return undefined;
  }

  #summaryOf({ id, agent, atMs, error }: Crash): CrashSummaryBody {
    const { code, name, message, at } = causeBody(error, this.#redactor);
    return { id, agent, timestamp: atMs / 1000, reason: code ?? name, message, at };
  }
}
