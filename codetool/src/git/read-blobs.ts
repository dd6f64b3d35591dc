import { collectErrors, endOf, startGit } from "./run-git.ts";
import { gitFailure } from "./failure.ts";
import type { WorkTree } from "./work-tree.ts";
import { startTimer } from "../system/index.ts";

/** Which blobs to read. */
export interface BlobRequest {
  /** Hexadecimal ids, as `git diff --raw` names them. */
  readonly ids: readonly string[];
  /** Larger ones are skipped; bytes. */
  readonly sizeBytesMax: number;
}

const timeoutMs = 120_000;
const lineFeed = 0x0a;

/**
 * Reads blobs one after the other, in the order asked for, from one `git cat-file`. Only one is in memory at a time: git
 * waits until the caller asks for the next.
 *
 * @returns For each id its bytes; `undefined` for an id that is missing, not a blob, or too large.
 * @throws git_error when git ends before it has answered.
 */
export async function* readBlobs(
  tree: WorkTree,
  request: BlobRequest,
): AsyncGenerator<Buffer | undefined, void, undefined> {
  if (request.ids.length === 0) return;
  const child = startGit(tree.call(["cat-file", "--batch", "--buffer"]));
  const errorText = collectErrors(child.stderr);
  const end = endOf(child);
  const timer = startTimer(timeoutMs, () => child.kill("SIGKILL"));
  try {
    child.stdin.end(`${request.ids.join("\n")}\n`);
    const source = new ByteSource(child.stdout);
    let answeredCount = 0;
    for (; answeredCount < request.ids.length; answeredCount += 1) {
      const head = await source.line();
      if (head === undefined) break;
      const match = /^[0-9a-f]+ (\w+) (\d+)$/.exec(head);
      // `<id> missing`: a line without content.
      if (match === null) {
        yield undefined;
        continue;
      }
      const sizeBytes = Number(match[2]);
      const isWanted = match[1] === "blob" && sizeBytes <= request.sizeBytesMax;
      const content = await source.take(sizeBytes + 1, isWanted);
      if (content === null) break;
      yield content?.subarray(0, sizeBytes);
    }
    if (answeredCount < request.ids.length) {
      const ended = await end;
      throw gitFailure(
        typeof ended === "string"
          ? { kind: "failed", reason: ended }
          : { kind: "ended", ...ended, stdout: Buffer.alloc(0), stderr: errorText() },
        "read earlier versions",
      );
    }
  } finally {
    timer.stop();
    child.kill("SIGKILL");
    child.stdout.destroy();
  }
}

/** Reads lines and counted bytes from a stream, only as fast as the caller asks for them. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next line without its line feed; `undefined` at the end. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#held.indexOf(lineFeed);
      if (end !== -1) {
        const line = this.#held.toString("latin1", 0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      const next = await this.#next();
      if (next === undefined) return undefined;
      this.#held = Buffer.concat([this.#held, next]);
    }
  }

  /**
   * The next bytes; without `isWanted` they are skipped.
   *
   * @returns `null` when the stream ends before; `undefined` for skipped bytes.
   */
  async take(count: number, isWanted: boolean): Promise<Buffer | null | undefined> {
    const parts: Buffer[] = [];
    let missing = count;
    for (;;) {
      const part = this.#held.subarray(0, missing);
      this.#held = this.#held.subarray(part.length);
      missing -= part.length;
      if (isWanted) parts.push(part);
      if (missing === 0) return isWanted ? Buffer.concat(parts) : undefined;
      const next = await this.#next();
      if (next === undefined) return null;
      this.#held = next;
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { value, done } = await this.#chunks.next();
    return done === true ? undefined : value;
  }
}
