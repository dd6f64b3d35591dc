import {
  type CorpusLook,
  type Look,
  type LookAhead,
  openCorpus,
  type OpenCorpus,
  type OpenCorpusOptions,
  openLook,
} from "./open-corpus.ts";

/**
 * Opens an index as it was written, while another thread looks whether the tree is still the same. What is answered
 * from it holds only if `isConfirmed` says so. If it does not, the question is asked again: from then on what is opened
 * is as the tree is.
 *
 * It serves one question. Where a look ahead does not pay, it opens an index as `openCorpus` does.
 */
export class CorporaAhead implements Disposable {
  #opened: { readonly look: CorpusLook; readonly ahead: LookAhead } | undefined;
  #isBegun = false;
  /** The tree as it is, once it is known to be another; for the next who opens the index. */
  #now: Look | undefined;

  /** See `openCorpus`. */
  async open(options: OpenCorpusOptions): Promise<OpenCorpus | undefined> {
    const now = this.#now;
    this.#now = undefined;
    if (now !== undefined) return { ...now, [Symbol.dispose]: () => undefined };
    if (this.#isBegun) return await openCorpus(options);
    this.#isBegun = true;
    const look = openLook(options);
    if (look === undefined) return undefined;
    const close = (): void => look[Symbol.dispose]();
    try {
      const ahead = await look.lookAhead();
      if (ahead === undefined) return { ...(await look.look()), [Symbol.dispose]: close };
      this.#opened = { look, ahead };
      return { ...ahead.likely, [Symbol.dispose]: () => undefined };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Waits for the look, and says whether the tree is the one that was answered from. */
  async isConfirmed(): Promise<boolean> {
    if (this.#opened === undefined) return true;
    const { look, ahead } = this.#opened;
    const seen = ahead.finish();
    if (!seen.isAnyFolderChanged && seen.changed.length === 0) return true;
    const { likely } = ahead;
    const now = await look.look(likely, seen);
    // Files that were only touched or copied make no other answer.
    const isSame =
      now.corpus === likely.corpus &&
      now.isWhole === likely.isWhole &&
      haveSame(now.leftOut, likely.leftOut);
    this.#now = isSame ? undefined : now;
    return isSame;
  }

  /** Closes the index. */
  [Symbol.dispose](): void {
    this.#opened?.look[Symbol.dispose]();
  }
}

function haveSame(left: Look["leftOut"], right: Look["leftOut"]): boolean {
  return (
    left.length === right.length &&
    left.every(({ relativePath }, index) => relativePath === right[index]?.relativePath)
  );
}
