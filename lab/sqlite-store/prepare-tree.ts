import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFileBytes, walkFiles } from "../../codetool/src/files/index.ts";
import { type CodeSymbol, extractSymbols, releaseTrees } from "../../codetool/src/syntax/index.ts";
import { contentHash, isBinary } from "../../codetool/src/text/index.ts";
import type { PreparedFile } from "./corpus-store.ts";
import type { Questions } from "./prepared-tree.ts";

const sizeBytesMax = 1024 ** 2;
/** As codetool gathers them: so many bytes of files are in memory at a time. */
const batchBytes = 4 * 1024 * 1024;
const questionCount = 60;

/**
 * Walks and parses a tree, and chooses what it will be asked.
 *
 * @param root Of the tree.
 * @param folder For what is found, a file for each batch of files; nothing is done where it was done before.
 */
export async function prepareTree(root: string, folder: string): Promise<void> {
  if (existsSync(join(folder, "questions.json"))) return;
  mkdirSync(folder, { recursive: true });
  let batch: Omit<PreparedFile, "text">[] = [];
  let bytes = 0;
  let batchCount = 0;
  const names: string[] = [];
  const signatures: string[] = [];
  const end = (): void => {
    writeFileSync(join(folder, `${batchCount}.json`), JSON.stringify(batch));
    batchCount += 1;
    batch = [];
    bytes = 0;
  };
  for (const file of walkFiles({ root, environment: {}, sizeBytesMax }).files) {
    const content = readFileBytes(file.absolutePath, { sizeBytesMax });
    if (content.kind !== "file") continue;
    if (bytes + content.bytes.length > batchBytes && batch.length > 0) end();
    const isText = !isBinary(content.bytes);
    const symbols: readonly CodeSymbol[] =
      isText && file.language !== null
        ? extractSymbols(content.bytes.toString("utf8"), file.language).symbols
        : [];
    await releaseTrees();
    batch.push({
      path: file.relativePath,
      sizeBytes: content.bytes.length,
      modifiedMs: content.stamp.modifiedMs,
      hash: await contentHash(content.bytes),
      language: isText ? file.language : null,
      symbols,
    });
    bytes += content.bytes.length;
    for (const { name, signature } of symbols.slice(0, 1)) {
      names.push(name);
      signatures.push(signature.slice(0, 24).trim());
    }
  }
  end();
  writeFileSync(join(folder, "questions.json"), JSON.stringify(questionsOf(names, signatures)));
}

/** Names and signatures from all over the tree: every other question is a name, the others hold two of them. */
function questionsOf(names: readonly string[], signatures: readonly string[]): Questions {
  const spread = (list: readonly string[]): string[] =>
    Array.from(
      { length: questionCount },
      (_, at) => list[Math.floor(((at + 0.5) * list.length) / questionCount)] ?? "",
    );
  const asked = spread(names);
  return {
    ranked: asked.map((name, at) =>
      at % 2 === 0 ? name : `how does ${name} work with ${asked[at - 1]}`,
    ),
    literals: spread(signatures),
  };
}
