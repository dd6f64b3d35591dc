import { readFileBytes } from "../../files/index.ts";
import { contentHash, decodeText, searchableText } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import type { ProjectCorpus } from "./project-corpus.ts";
import { readSettings } from "../settings.ts";

/** Texts that are kept for the next time, UTF-16 units in all. */
const keptLengthMax = 8 * 1024 * 1024;

/** The texts of a project's files, as long as they are those that the project was made from. */
export class ProjectTexts {
  readonly #project: ProjectCorpus;
  readonly #context: CommandContext;
  readonly #unread: ReadonlySet<string>;
  readonly #fileSizeBytesMax: number;
  readonly #kept = new Map<number, string | undefined>();
  #keptLength = 0;
  /** Files whose size or time is not that of the project, with the hash of what was read. */
  readonly #doubtful: { readonly file: number; readonly hash: Promise<string> }[] = [];

  /** @param unread Absolute paths of files that are not read. */
  constructor(project: ProjectCorpus, context: CommandContext, unread: ReadonlySet<string>) {
    this.#project = project;
    this.#context = context;
    this.#unread = unread;
    this.#fileSizeBytesMax = readSettings(context.environment).fileSizeBytesMax;
  }

  /** Reads a text; `undefined` for binary files and those that cannot be read, or may not be shown. */
  readonly read = (file: number): string | undefined => {
    if (this.#kept.has(file)) return this.#kept.get(file);
    const text = this.#readNow(file);
    this.#keptLength += text?.length ?? 0;
    if (this.#keptLength > keptLengthMax) {
      this.#kept.clear();
      this.#keptLength = text?.length ?? 0;
    }
    this.#kept.set(file, text);
    return text;
  };

  #readNow(file: number): string | undefined {
    const path = this.#project.absolutePathOf(file);
    if (this.#context.mayShow?.(path) === false || this.#unread.has(path)) return undefined;
    const { corpus } = this.#project;
    if (!corpus.isTextAt(file)) return undefined;
    const content = readFileBytes(path, { sizeBytesMax: this.#fileSizeBytesMax });
    const { sizeBytes, modifiedMs } = corpus.file(file);
    const bytes = content.kind === "file" ? content.bytes : Buffer.alloc(0);
    const isAsKnown =
      content.kind === "file" &&
      content.stamp.sizeBytes === sizeBytes &&
      content.stamp.modifiedMs === modifiedMs;
    // A file that was only touched has the content that is known.
    if (!isAsKnown) this.#doubtful.push({ file, hash: contentHash(bytes) });
    const text = searchableText(bytes);
    return text && decodeText(text).text;
  }

  /** The absolute paths of the files whose content is not that of the project. */
  async changed(): Promise<readonly string[]> {
    const { corpus } = this.#project;
    const changed: string[] = [];
    for (const { file, hash } of this.#doubtful)
      if ((await hash) !== corpus.hashOf(file)) changed.push(this.#project.absolutePathOf(file));
    return changed;
  }
}
