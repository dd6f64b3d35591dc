import assert from "node:assert/strict";
import { frontPath } from "./tree.ts";

/** No call may take longer, whatever happens: its time limit is ten seconds, and a machine with other work is slow. */
const answerMsMax = 30_000;

/** What a call that meets a broken link may fail with. */
const typedCodes: ReadonlySet<string> = new Set([
  "AGENTRT_BUS_TIMEOUT",
  "AGENTRT_LINK_CUT",
  "AGENTRT_LINK_DOWN",
  "AGENTRT_LINK_FULL",
  "AGENTRT_LINK_LOST",
  "AGENTRT_LINK_NOT_STORED",
  "AGENTRT_WORKER_AWAY",
  "AGENTRT_WORKER_GONE",
]);

/** What became of the requests of a load. */
export interface LoadCounts {
  callCount: number;
  /** By the code of the error. */
  readonly failures: Map<string, number>;
  /** Ids of casts that were accepted. */
  readonly accepted: Set<string>;
  slowestMs: number;
}

/** Requests to the front, so many at a time: calls, and casts that nobody answers. Each must end with an answer or with a typed error. */
export class Load {
  readonly counts: LoadCounts = {
    callCount: 0,
    failures: new Map(),
    accepted: new Set(),
    slowestMs: 0,
  };
  readonly #port: number;
  #nextId = 0;
  #isEnded = false;
  readonly #lanes: Promise<unknown>;
  /** Rejects with the first answer that is none. */
  readonly broken: Promise<never>;
  readonly #break: (error: unknown) => void;

  constructor(port: number, laneCount: number) {
    this.#port = port;
    const { promise, reject } = Promise.withResolvers<never>();
    this.broken = promise;
    this.#break = reject;
    promise.catch(() => undefined);
    this.#lanes = Promise.all(Array.from({ length: laneCount }, async () => await this.#lane()));
  }

  /** Ends it when what is under way has ended. */
  async end(): Promise<LoadCounts> {
    this.#isEnded = true;
    await Promise.race([this.#lanes, this.broken]);
    return this.counts;
  }

  /** Asks once. @returns Whether there was an answer. */
  async ask(kind: "call" | "cast"): Promise<boolean> {
    const id = String((this.#nextId += 1));
    const begunMs = performance.now();
    const response = await fetch(`http://127.0.0.1:${this.#port}${frontPath}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, kind }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const body = (await response.json()) as { readonly id?: unknown; readonly code?: unknown };
    this.counts.slowestMs = Math.max(this.counts.slowestMs, performance.now() - begunMs);
    if (response.status === 200 && body.id !== undefined) {
      assert.equal(body.id, id);
      this.counts.callCount += 1;
      if (kind === "cast") this.counts.accepted.add(id);
      return true;
    }
    const { code } = body;
    const told = `${response.status} ${JSON.stringify(body)}`;
    assert.ok(typeof code === "string" && typedCodes.has(code), told);
    this.counts.failures.set(code, (this.counts.failures.get(code) ?? 0) + 1);
    return false;
  }

  async #lane(): Promise<void> {
    for (let index = 0; !this.#isEnded; index += 1)
      try {
        const isServed = await this.ask(index % 4 === 0 ? "cast" : "call");
        // Refusals come at once: the machine is for those who mend what is broken.
        if (!isServed) await new Promise((resolve) => setTimeout(resolve, 20));
      } catch (error) {
        this.#break(error);
        return;
      }
  }
}

/** Writes how often calls failed, and why. */
export function failureText(failures: ReadonlyMap<string, number>): string {
  const parts = [...failures]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${count} ${code}`);
  return parts.length === 0 ? "none failed" : `failed: ${parts.join(", ")}`;
}
