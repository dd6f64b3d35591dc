import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { StringMap } from "../gateway/index.ts";

/** What a sign-in is kept as. */
export interface SignIn {
  /** The headers that let its requests through: `x-api-key` or `authorization`; empty where a certificate does. */
  readonly credentials: StringMap;
  /** As records name who signed in. */
  readonly principal: string;
  /** What the principal may do; null for all. */
  readonly scopes: readonly string[] | null;
  /** When its credentials end, wall-clock milliseconds since the Unix epoch. Default never. */
  readonly credentialsEndMs?: number | undefined;
}

/** A session that is open. */
export interface Session extends Omit<SignIn, "credentialsEndMs"> {
  /** What requests that change something have to name. */
  readonly csrfToken: string;
  /** When it ends, unless it is used: wall-clock milliseconds since the Unix epoch. */
  readonly expiresAtMs: number;
}

interface Kept extends Session {
  /** When it ends even if it is used. */
  readonly endMs: number;
  expiresAtMs: number;
  /** End the streams that it has open. */
  readonly ends: Set<() => void>;
}

/** Without a request for so long a session ends, milliseconds. */
const idleMs = 30 * 60_000;
/** So long a session lasts at most, milliseconds. */
const lifeMs = 12 * 60 * 60_000;
/**
 * So many sessions are open at most. A further one ends that which was used longest ago of the principal that has most: many may
 * share a key, and without authentication all are one principal.
 */
const sessionCountMax = 1000;

/** The sessions of one console, in memory: a restart of the process ends them. */
export class ConsoleSessions {
  /** By the digest of their id, the one that was used longest ago first. */
  readonly #open = new Map<string, Kept>();
  readonly #nowMs: () => number;

  /** @param nowMs The wall clock, milliseconds since the Unix epoch. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Opens a session.
   *
   * @returns It, and the id that its cookie holds; nothing here remembers the id itself.
   */
  open({ credentialsEndMs = Number.POSITIVE_INFINITY, ...rest }: SignIn): {
    readonly id: string;
    readonly session: Session;
  } {
    const id = randomBytes(32).toString("base64url");
    const now = this.#nowMs();
    const endMs = Math.min(now + lifeMs, credentialsEndMs);
    const csrfToken = randomBytes(16).toString("base64url");
    const session: Kept = {
      ...rest,
      csrfToken,
      endMs,
      expiresAtMs: Math.min(now + idleMs, endMs),
      ends: new Set(),
    };
    this.#sweep(now);
    this.#open.set(digestOf(id), session);
    return { id, session };
  }

  /**
   * Finds a session that has not ended, and takes it as used now.
   *
   * @param ids What cookies of its name hold.
   */
  find(ids: readonly string[]): Session | undefined {
    const now = this.#nowMs();
    for (const id of ids) {
      const key = digestOf(id);
      const session = this.#open.get(key);
      if (session === undefined) continue;
      if (session.expiresAtMs <= now) {
        this.#end(key, session);
        continue;
      }
      session.expiresAtMs = Math.min(now + idleMs, session.endMs);
      this.#open.delete(key);
      this.#open.set(key, session);
      return session;
    }
    return undefined;
  }

  /** Ends a session, with the streams that it has open. */
  close(ids: readonly string[]): void {
    for (const key of ids.map(digestOf)) {
      const session = this.#open.get(key);
      if (session !== undefined) this.#end(key, session);
    }
  }

  /**
   * Makes a stream end with its session.
   *
   * @param session An open one.
   * @param stream What is sent to the client of the session.
   */
  bound(session: Session, stream: AsyncIterable<string>): AsyncIterable<string> {
    const { ends } = session as Kept;
    const isOver = (): boolean => (session as Kept).endMs <= this.#nowMs();
    return {
      [Symbol.asyncIterator]: () => {
        const pieces = stream[Symbol.asyncIterator]();
        const end = (): void => void pieces.return?.();
        ends.add(end);
        const leave = async (): Promise<IteratorResult<string>> => {
          ends.delete(end);
          await pieces.return?.();
          return { done: true, value: undefined };
        };
        const next = async (): Promise<IteratorResult<string>> => {
          const piece = await pieces.next();
          if (piece.done === true || isOver()) return await leave();
          return piece;
        };
        return { next, return: leave };
      },
    };
  }

  #end(key: string, session: Kept): void {
    this.#open.delete(key);
    for (const end of session.ends) end();
    session.ends.clear();
  }

  /** Makes room for one more session. */
  #sweep(now: number): void {
    const counts = new Map<string, number>();
    for (const [key, session] of this.#open) {
      if (session.expiresAtMs <= now) this.#end(key, session);
      else counts.set(session.principal, (counts.get(session.principal) ?? 0) + 1);
    }
    if (this.#open.size < sessionCountMax) return;
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (most !== undefined) this.#endOldestOf(most[0]);
  }

  #endOldestOf(principal: string): void {
    for (const [key, session] of this.#open) {
      if (session.principal !== principal) continue;
      this.#end(key, session);
      return;
    }
  }
}

/** Compares in a time that says nothing of where texts differ. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

function digestOf(id: string): string {
  return hash("sha256", id);
}
