import type { JsonObject } from "../../core/index.ts";

/** Entries of one agent that are kept; beyond it the oldest goes. */
export const historyLengthMax = 100;
/** Entries of all agents together. Those of agents that only started and stopped go first, the longest silent of them. */
const entryCountMax = 50_000;

/** One thing that happened to an agent, as it is shown. */
export type HistoryEntry = JsonObject & { readonly event: string };

/** What is known of one agent. */
interface Chapter {
  readonly entries: HistoryEntry[];
}

/** Starts and stops say little: a key of a keyed agent may come and go a thousand times. */
const plainEvents: ReadonlySet<string> = new Set(["started", "stopped", "spawned", "terminated"]);

/** What happened to each agent lately. */
export class HistoryBook {
  /** Agents that only started and stopped, and the others; in both the longest silent first. */
  readonly #plain = new Map<string, Chapter>();
  readonly #marked = new Map<string, Chapter>();
  #entryCount = 0;

  /** Takes note of something that happened to an agent. */
  add(agent: string, entry: HistoryEntry): void {
    const chapter = this.#plain.get(agent) ?? this.#marked.get(agent) ?? { entries: [] };
    const isMarked = this.#marked.delete(agent) || !plainEvents.has(entry.event);
    this.#plain.delete(agent);
    (isMarked ? this.#marked : this.#plain).set(agent, chapter);
    chapter.entries.push(entry);
    if (chapter.entries.length > historyLengthMax) chapter.entries.shift();
    else this.#entryCount += 1;
    while (this.#entryCount > entryCountMax) this.#forgetOne();
  }

  /** @returns What happened to an agent, oldest first; empty when nothing is known. */
  of(agent: string): readonly HistoryEntry[] {
    return [...(this.#plain.get(agent) ?? this.#marked.get(agent) ?? { entries: [] }).entries];
  }

  #forgetOne(): void {
    const from = this.#plain.size > 0 ? this.#plain : this.#marked;
    for (const [agent, { entries }] of from) {
      from.delete(agent);
      this.#entryCount -= entries.length;
      return;
    }
  }
}
