import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Asked } from "./asked.ts";
import { ask, forgetFailing, Refusal } from "./api.ts";
import { Poller, type PollerClock } from "./poller.ts";

/** What is known of a route that is asked again and again. */
export interface Poll<Body> {
  /** The latest answer; undefined before the first one. */
  readonly data: Body | undefined;
  /** What the server said instead; undefined when it answered. */
  readonly refusal: Refusal | undefined;
  /** Asks now. */
  readonly refresh: () => void;
  /** Asks soon: `next` gives another path. What is asked meanwhile is still answered. */
  readonly refreshSoon: () => void;
}

/**
 * Asks what `asked.ts` says again and again while the page is seen.
 *
 * @param asked Undefined asks nothing.
 * @param next {@inheritDoc usePoll}
 */
export function useAsked<Body>(
  asked: Asked | undefined,
  next?: (known: Body | undefined) => string,
): Poll<Body> {
  return usePoll<Body>(asked?.path, asked?.everyMs ?? 0, next);
}

/**
 * Asks a route again and again while the page is seen. An answer of 204 says that nothing has changed.
 *
 * @param path Undefined asks nothing. Another one drops what is known and what is asked.
 * @param everyMs The pause between an answer and the next question, milliseconds.
 * @param next Makes the path of each question from the latest answer, undefined before the first; default `path`.
 */
export function usePoll<Body>(
  path: string | undefined,
  everyMs: number,
  next?: (known: Body | undefined) => string,
): Poll<Body> {
  const [state, setState] = useState<Pick<Poll<Body>, "data" | "refusal"> & { of?: string }>({
    data: undefined,
    refusal: undefined,
  });
  const current = useRef<Poller>(undefined);
  const nextPath = useRef(next);
  nextPath.current = next;
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    let known: Body | undefined;
    const askOnce = async (): Promise<void> => {
      try {
        const { status, body } = await ask<Body>(nextPath.current?.(known) ?? path, { signal });
        if (signal.aborted || status === 204) return;
        known = body;
        setState({ data: body, refusal: undefined, of: path });
      } catch (error) {
        // Who does not answer is in the banner, and is asked again.
        if (signal.aborted || !(error instanceof Refusal)) return;
        setState((before) => ({
          data: before.of === path && error.status !== 404 ? before.data : undefined,
          refusal: error,
          of: path,
        }));
      }
    };
    const poller = new Poller({ everyMs, ask: askOnce, isSeen, clock });
    const onSight = (): void => {
      if (isSeen()) poller.askNow();
    };
    document.addEventListener("visibilitychange", onSight, { signal });
    current.current = poller;
    poller.askNow();
    return () => {
      stop.abort();
      poller.end();
      forgetFailing(path);
    };
  }, [path, everyMs]);
  const refresh = useCallback(() => current.current?.askNow(), []);
  const refreshSoon = useCallback(() => current.current?.askSoon(), []);
  const isCurrent = state.of === path;
  return {
    data: isCurrent ? state.data : undefined,
    refusal: isCurrent ? state.refusal : undefined,
    refresh,
    refreshSoon,
  };
}

function isSeen(): boolean {
  return document.visibilityState === "visible";
}

const clock: PollerClock = {
  nowMs: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
