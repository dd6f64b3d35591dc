import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Asked } from "./asked.ts";
import { ask, forgetFailing, Refusal } from "./api.ts";

/** What is known of a route that is asked again and again. */
export interface Poll<Body> {
  /** The latest answer; undefined before the first one. */
  readonly data: Body | undefined;
  /** What the server said instead; undefined when it answered. */
  readonly refusal: Refusal | undefined;
  /** Asks now. */
  readonly refresh: () => void;
}

/** An answer that takes long is asked for less often: at most a twentieth of the time is spent on it. */
const shareOfTime = 20;
const longestPauseMs = 30_000;

/**
 * Asks what `asked.ts` says again and again while the page is seen.
 *
 * @param asked Undefined asks nothing.
 * @param next {@inheritDoc usePoll}
 */
export function useAsked<Body>(
  asked: Asked | undefined,
  next?: (body: Body) => string,
): Poll<Body> {
  return usePoll<Body>(asked?.path, asked?.everyMs ?? 0, next);
}

/**
 * Asks a route again and again while the page is seen. An answer of 204 says that nothing has changed.
 *
 * @param path Undefined asks nothing.
 * @param everyMs The pause between an answer and the next question, milliseconds.
 * @param next Makes the path of the next question from the latest answer; default the same.
 */
export function usePoll<Body>(
  path: string | undefined,
  everyMs: number,
  next?: (body: Body) => string,
): Poll<Body> {
  const [state, setState] = useState<Omit<Poll<Body>, "refresh"> & { of?: string }>({
    data: undefined,
    refusal: undefined,
  });
  const now = useRef<() => void>(() => undefined);
  const nextPath = useRef(next);
  nextPath.current = next;
  useEffect(() => {
    if (path === undefined) return undefined;
    const poller = new Poller<Body>({ path, everyMs, next: (body) => nextPath.current?.(body) });
    poller.onAnswer = (data) => setState({ data, refusal: undefined, of: path });
    poller.onRefusal = (refusal) =>
      setState((before) => ({
        data: before.of === path && refusal.status !== 404 ? before.data : undefined,
        refusal,
        of: path,
      }));
    now.current = () => poller.askNow();
    poller.askNow();
    return () => poller.end();
  }, [path, everyMs]);
  const refresh = useCallback(() => now.current(), []);
  const isCurrent = state.of === path;
  return {
    data: isCurrent ? state.data : undefined,
    refusal: isCurrent ? state.refusal : undefined,
    refresh,
  };
}

class Poller<Body> {
  readonly #path: string;
  readonly #everyMs: number;
  readonly #next: (body: Body) => string | undefined;
  readonly #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isWanted = false;
  #known: Body | undefined;
  onAnswer: (body: Body) => void = () => undefined;
  onRefusal: (refusal: Refusal) => void = () => undefined;

  constructor(of: {
    readonly path: string;
    readonly everyMs: number;
    readonly next: (body: Body) => string | undefined;
  }) {
    this.#path = of.path;
    this.#everyMs = of.everyMs;
    this.#next = of.next;
    document.addEventListener("visibilitychange", () => this.#onSight(), {
      signal: this.#stop.signal,
    });
  }

  askNow(): void {
    if (this.#isAsking) {
      this.#isWanted = true;
      return;
    }
    clearTimeout(this.#timer);
    void this.#turn();
  }

  end(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
    forgetFailing(this.#path);
  }

  #onSight(): void {
    if (document.visibilityState === "visible") this.askNow();
  }

  async #turn(): Promise<void> {
    const begunMs = performance.now();
    this.#isAsking = true;
    await this.#ask();
    this.#isAsking = false;
    if (this.#stop.signal.aborted) return;
    const tookMs = performance.now() - begunMs;
    const pauseMs = Math.max(this.#everyMs, Math.min(longestPauseMs, shareOfTime * tookMs));
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    // A page that nobody sees asks nothing: it is told when it is seen.
    if (document.visibilityState === "visible" || isWanted)
      this.#timer = setTimeout(() => void this.#turn(), isWanted ? 0 : pauseMs);
  }

  async #ask(): Promise<void> {
    const { signal } = this.#stop;
    const path = (this.#known === undefined ? undefined : this.#next(this.#known)) ?? this.#path;
    try {
      const { status, body } = await ask<Body>(path, { signal });
      if (signal.aborted || status === 204) return;
      this.#known = body;
      this.onAnswer(body);
    } catch (error) {
      // Who does not answer is in the banner, and is asked again.
      if (!signal.aborted && error instanceof Refusal) this.onRefusal(error);
    }
  }
}
