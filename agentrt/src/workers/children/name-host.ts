import type { Kernel } from "../../core/index.ts";
import { type Exchange, RemoteAddress, unknownFacts } from "../../links/index.ts";
import { type NamesNews, readNews } from "./child-protocol.ts";

/** What it is made from. */
interface NameHostInit {
  readonly kernel: Pick<Kernel, "registry">;
  readonly exchange: Exchange;
  /** Name of the process group of this process: what runs here has its name already. */
  readonly process: string;
}

/** The children of other processes, as the agents of a worker find them by their names. */
export class NameHost {
  readonly #init: NameHostInit;
  #known: { readonly board: string; version: number } | undefined;
  readonly #names = new Set<string>();
  /** What has come of a whole list. */
  #coming: Set<string> | undefined;

  constructor(init: NameHostInit) {
    this.#init = init;
  }

  /** Takes what the supervisor says. @returns False when some of it was lost: the whole list is wanted. */
  take(payload: Parameters<typeof readNews>[0]): boolean {
    const news = readNews(payload);
    const { part, board, version } = news;
    if (part === "change") return this.#change(news);
    if (part === "first" || part === "whole") this.#coming = new Set();
    const coming = this.#coming;
    if (coming === undefined) return true;
    for (const [name, process] of news.come) {
      coming.add(name);
      this.#come(name, process);
    }
    if (part === "last" || part === "whole") {
      for (const name of this.#names) if (!coming.has(name)) this.#go(name);
      this.#known = { board, version };
      this.#coming = undefined;
    }
    return true;
  }

  /** @returns False where a change has not come. */
  isUpToDate(version: unknown): boolean {
    return typeof version !== "number" || this.#known?.version === version;
  }

  #change({ board, version, come, gone }: NamesNews): boolean {
    const known = this.#known;
    if (known?.board !== board || known.version !== version - 1) {
      // What is older than the list that it has is in it.
      return known?.board === board && version <= known.version;
    }
    known.version = version;
    for (const name of gone) this.#go(name);
    for (const [name, process] of come) this.#come(name, process);
    return true;
  }

  #come(name: string, process: string): void {
    const { kernel, exchange } = this.#init;
    const { registry } = kernel;
    if (process === this.#init.process || registry.get(name)?.name === name) return;
    this.#names.add(name);
    registry.register({
      name,
      kind: "agent",
      capabilities: [],
      capabilityMetadata: {},
      address: new RemoteAddress(unknownFacts(), (message, deadlineMs) =>
        exchange.send(message, { topic: name }, deadlineMs),
      ),
    });
  }

  #go(name: string): void {
    const { registry } = this.#init.kernel;
    if (!this.#names.delete(name)) return;
    const found = registry.get(name);
    if (found?.name === name && found.address instanceof RemoteAddress) registry.deregister(name);
  }
}
