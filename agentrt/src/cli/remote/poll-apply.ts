import { createRealSystem } from "../../core/index.ts";
import { askControl } from "./control-plane.ts";

/** How long nobody may listen while a control plane restarts itself, until its process is taken for gone. */
const silenceMsMax = 60_000;

/**
 * Asks control planes what became of the latest `apply`, until one of them tells its end.
 *
 * @param urls Where: the one that restarts may come back at another address.
 * @param question.headers Sent along.
 * @param question.pollMs Between two questions.
 * @param question.timeoutMs Of the whole.
 * @returns What it tells; undefined when nobody did in time, or nobody has listened for a minute.
 */
export async function pollApply(
  urls: readonly string[],
  question: {
    readonly headers: Headers;
    readonly pollMs: number;
    readonly timeoutMs: number;
  },
): Promise<unknown> {
  const { headers, pollMs, timeoutMs } = question;
  const system = createRealSystem();
  const endMs = system.monotonicMs() + timeoutMs;
  let heardAtMs = system.monotonicMs();
  const isHopeful = (nowMs: number): boolean => nowMs < Math.min(endMs, heardAtMs + silenceMsMax);
  while (isHopeful(system.monotonicMs())) {
    for (const url of new Set(urls)) {
      const answer = await askControl(url, { headers, timeoutMs: 5000 });
      if (answer.kind !== "failure") heardAtMs = system.monotonicMs();
      if (answer.kind !== "body") continue;
      const { status } = answer.body as { readonly status?: unknown };
      if (status === "applied" || status === "failed") return answer.body;
    }
    await new Promise<void>((resolve) => system.setTimer(pollMs, resolve));
  }
  return undefined;
}
