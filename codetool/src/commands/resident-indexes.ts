import type { OpenCorpus, OpenCorpusOptions, ResidentCorpora } from "../store/index.ts";

/** Indexes that stay open for a process that runs many commands; nothing is loaded before the first is opened. */
export class ResidentIndexes implements Disposable {
  #corpora: ResidentCorpora | undefined;

  /** Opens the index of a folder, or returns the open one, with the changes of the tree since it was written. */
  async open(options: OpenCorpusOptions): Promise<OpenCorpus | undefined> {
    const { ResidentCorpora } = await import("../store/index.ts");
    this.#corpora ??= new ResidentCorpora();
    return await this.#corpora.open(options);
  }

  /** Closes all. */
  [Symbol.dispose](): void {
    this.#corpora?.[Symbol.dispose]();
  }
}
