import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBinary } from "../../codetool/src/text/index.ts";
import type { PreparedFile } from "./corpus-store.ts";

/** What a tree is asked: taken from it, so that nobody chose it. */
export interface Questions {
  /** For the ranking: names of definitions, and words of two of them. */
  readonly ranked: readonly string[];
  /** Texts that some file holds. */
  readonly literals: readonly string[];
}

/** A tree that `prepareTree` walked and parsed once, so that what is measured afterwards is storage. */
export class PreparedTree {
  readonly #root: string;
  readonly #folder: string;

  /**
   * @param root Of the tree.
   * @param folder Where `prepareTree` put what it found.
   */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  /** The files, a batch of neighbours at a time. */
  *batches(): Generator<PreparedFile[]> {
    for (let number = 0; ; number += 1) {
      const path = join(this.#folder, `${number}.json`);
      if (!existsSync(path)) return;
      const files = JSON.parse(readFileSync(path, "utf8")) as Omit<PreparedFile, "text">[];
      yield files.map((file) => {
        const bytes = readFileSync(join(this.#root, file.path));
        return { ...file, text: isBinary(bytes) ? null : bytes };
      });
    }
  }

  /** A file in the middle of the tree as it is after an edit; each number gives another content. */
  changedFile(number: number): PreparedFile {
    const files = [...this.batches()].flat().filter(({ symbols }) => symbols.length > 3);
    const file = files[Math.floor(files.length / 2)];
    if (file?.text == null) throw new Error("the tree has no code");
    const text = Buffer.concat([file.text, Buffer.from(`\n// edited ${number}\n`)]);
    return { ...file, text, sizeBytes: text.length, hash: number.toString(16).padStart(32, "0") };
  }

  questions(): Questions {
    return JSON.parse(readFileSync(join(this.#folder, "questions.json"), "utf8")) as Questions;
  }
}
