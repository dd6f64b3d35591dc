/**
 * Turns unpacked repositories into streams of tokens and pairs of texts that belong together.
 *
 *     node lab/training/extract.ts corpus <corpus> <mirrors> <out> [<part>/<parts>]
 *     node lab/training/extract.ts labelled <labels> <trees> <out>
 *
 * The second form reads the repositories that quality is measured on: files, chunks and queries, no pairs.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import type { WalkedFile } from "../../codetool/src/files/index.ts";
import { chunkText } from "../../codetool/src/index/index.ts";
import { readDataset } from "../../codetool/src/quality/index.ts";
import { type CodeSymbol, extractSymbols, releaseTrees } from "../../codetool/src/syntax/index.ts";
import { cleanComment } from "./clean-comment.ts";
import { chosenFiles, filesBelow, textOf } from "./corpus-files.ts";
import { commentBefore, definitionsOf, docstringIn } from "./definitions.ts";
import { describedTests, headedSections } from "./described.ts";
import { NumberList, type TokenRange, TokenWriter } from "./token-writer.ts";

const kinds = { doc: 0, name: 1, commit: 2, section: 3, test: 4 } as const;
const chunkSizeCharacters = 1500;
const commitsMax = 6000;
const filesPerCommitMax = 3;
const pathFolders = 3;

/** The lists that are written for a repository, besides the stream of tokens. */
class RepositoryWriter {
  readonly #tokens = new TokenWriter();
  /** Path tokens, tokens of the content. */
  readonly #files = new NumberList();
  /** Tokens, file. */
  readonly #chunks = new NumberList();
  /** Kind, query, text, what of the text is left out, file. */
  readonly #pairs = new NumberList();
  readonly #paths: string[] = [];

  async addFile(
    file: WalkedFile,
    text: Buffer,
    options: { readonly hasPairs: boolean; readonly shownPath?: string },
  ): Promise<void> {
    const language = file.language ?? "";
    const symbols = extractSymbols(text.toString("utf8"), language).symbols;
    await releaseTrees();
    const parts = file.relativePath.split("/");
    const stem = (parts.pop() ?? "").replace(/\.[^.]*$/, "");
    const path = this.#tokens.add(
      Buffer.from([...parts.slice(-pathFolders), stem].join(" ")),
    ).range;
    const added = this.#tokens.add(text);
    const number = this.#paths.push(options.shownPath ?? file.relativePath) - 1;
    this.#files.push(...path, ...added.range);
    for (const chunk of chunkText(text, symbols, chunkSizeCharacters))
      this.#chunks.push(...added.rangeOf(chunk.startByte, chunk.endByte), number);
    if (!options.hasPairs) return;
    const { rangeOf } = added;
    this.#addDefinitions({ text, language, symbols, rangeOf, number });
    const described = language === "markdown" ? headedSections(text) : describedTests(text);
    const kind = language === "markdown" ? kinds.section : kinds.test;
    for (const { title, startByte, endByte } of described)
      this.#addPair(kind, title, { range: rangeOf(startByte, endByte), number });
  }

  #addDefinitions(source: {
    readonly text: Buffer;
    readonly language: string;
    readonly symbols: readonly CodeSymbol[];
    readonly rangeOf: (startByte: number, endByte: number) => TokenRange;
    readonly number: number;
  }): void {
    const { text, language, symbols, rangeOf, number } = source;
    for (const definition of definitionsOf(text, language, symbols)) {
      const range = rangeOf(definition.startByte, definition.endByte);
      if (range[1] - range[0] < 8) continue;
      const inside = language === "python" ? docstringIn(text, definition) : null;
      const comment = inside ?? commentBefore(text, definition.startByte);
      const left = inside === null ? undefined : rangeOf(inside.startByte, inside.endByte);
      this.#addPair(kinds.name, definition.name, { range, number, left });
      if (comment === null) continue;
      const prose = cleanComment(text.toString("utf8", comment.startByte, comment.endByte));
      this.#addPair(kinds.doc, prose, { range, number, left });
    }
  }

  #addPair(
    kind: number,
    query: string,
    target: {
      readonly range: TokenRange;
      readonly number: number;
      readonly left?: TokenRange | undefined;
    },
  ): void {
    if (query === "") return;
    const { range, number, left = [0, 0] } = target;
    const tokens = this.#tokens.add(Buffer.from(query)).range;
    if (tokens[1] > tokens[0]) this.#pairs.push(kind, ...tokens, ...range, ...left, number);
  }

  /** What changes are said to do, and the files they touch. */
  addCommits(gitDirectory: string, commit: string): void {
    const numbers = new Map(this.#paths.map((path, number) => [path, number]));
    const log = execFileSync(
      "git",
      [
        `--git-dir=${gitDirectory}`,
        "log",
        "--no-merges",
        "--no-renames",
        `-n${commitsMax}`,
        "--name-only",
        "--format=%x01%s",
        commit,
      ],
      { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] },
    );
    for (const entry of log.split("\u0001").slice(1)) {
      const [subject = "", ...paths] = entry.split("\n").filter((line) => line !== "");
      const touched = paths.flatMap((path) => numbers.get(path) ?? []);
      if (touched.length === 0 || paths.length > filesPerCommitMax + 3) continue;
      if (/^(merge|bump|revert|release|update dep|chore|v?\d)/i.test(subject)) continue;
      const query = subject.replace(/\(?#\d+\)?|^\w+(\([^)]*\))?!?:/g, " ");
      for (const number of touched.slice(0, filesPerCommitMax))
        this.#addPair(kinds.commit, query, { range: [0, 0], number });
    }
  }

  addQueries(queries: readonly string[]): NumberList {
    const list = new NumberList();
    for (const query of queries) list.push(...this.#tokens.add(Buffer.from(query)).range);
    return list;
  }

  write(folder: string, lists: { readonly [name: string]: NumberList } = {}): void {
    const partial = `${folder}.part`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    const own = { files: this.#files, chunks: this.#chunks, pairs: this.#pairs };
    this.#tokens.write(partial, { ...own, ...lists });
    writeFileSync(join(partial, "paths.txt"), this.#paths.join("\n"));
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  }
}

async function extractCorpus(options: {
  readonly corpus: string;
  readonly mirrors: string;
  readonly out: string;
  readonly part: number;
  readonly partCount: number;
}): Promise<void> {
  const { corpus, mirrors, out, part, partCount } = options;
  const list = JSON.parse(
    readFileSync(join(import.meta.dirname, "repositories.json"), "utf8"),
  ) as readonly { readonly name: string; readonly commit: string }[];
  for (const [index, { name, commit }] of list.entries()) {
    const folder = name.replace("/", "+");
    if (index % partCount !== part - 1 || existsSync(join(out, folder))) continue;
    const writer = new RepositoryWriter();
    for (const file of await chosenFiles(join(corpus, folder))) {
      const text = textOf(file);
      if (text !== null) await writer.addFile(file, text, { hasPairs: true });
    }
    writer.addCommits(join(mirrors, folder, "repo"), commit);
    writer.write(join(out, folder));
    process.stdout.write(`${name}\n`);
  }
}

async function extractLabelled(labels: string, trees: string, out: string): Promise<void> {
  for (const file of readdirSync(labels).sort()) {
    const name = basename(file, ".json");
    const dataset = readDataset(readFileSync(join(labels, file), "utf8"), name);
    if ("fault" in dataset) throw new Error(`${file}: ${dataset.fault}`);
    const writer = new RepositoryWriter();
    for (const walked of filesBelow(join(trees, name, dataset.benchmarkRoot))) {
      const text = textOf(walked);
      if (text === null) continue;
      const shownPath = [dataset.benchmarkRoot, walked.relativePath]
        .filter((part) => part !== "")
        .join("/");
      await writer.addFile(walked, text, { hasPairs: false, shownPath });
    }
    const queries = writer.addQueries(dataset.queries.map(({ query }) => query));
    writer.write(join(out, name), { queries });
    const rows = dataset.queries.map(({ category, targets, query }) => ({
      query,
      category,
      targets: targets.map(({ path }) => path),
    }));
    const summary = { name, language: dataset.language, queries: rows };
    writeFileSync(join(out, name, "labels.json"), JSON.stringify(summary));
  }
}

const [form, first, second, out, share = "1/1"] = process.argv.slice(2);
const [part = 1, partCount = 1] = share.split("/").map(Number);
if (first !== undefined && second !== undefined && form === "corpus" && out !== undefined)
  await extractCorpus({ corpus: first, mirrors: second, out, part, partCount });
else if (first !== undefined && second !== undefined && form === "labelled" && out !== undefined)
  await extractLabelled(first, second, out);
else {
  process.stderr.write(
    "usage: extract.ts (corpus <corpus> <mirrors> | labelled <labels> <trees>) <out> [<part>/<parts>]\n",
  );
  process.exitCode = 2;
}
