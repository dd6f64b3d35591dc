import { readFileSync } from "node:fs";
import { type Kernel, reasonOf } from "../../core/index.ts";
import { compositionErrors } from "../../node-kinds/index.ts";

/** How often the file is read again and refusals are logged, at most, milliseconds. */
const intervalMs = 1000;
/** Characters of a key. */
const keyLength = 40;

/**
 * The public keys that may connect, from a file: one a line, with a name behind it after a space. A line that begins with `# ` is a
 * remark. The file is read again while processes connect, so a key that is added counts within a second.
 */
export class AllowedClients {
  readonly #path: string;
  readonly #kernel: Pick<Kernel, "system" | "log">;
  #keys: ReadonlySet<string>;
  #readAtMs: number;
  #refusedCount = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  /** @throws AGENTRT_COMPOSITION_TRANSPORT_KEY when the file cannot be read, or holds something else. */
  constructor(path: string, kernel: Pick<Kernel, "system" | "log">) {
    this.#path = path;
    this.#kernel = kernel;
    this.#keys = readKeys(path);
    this.#readAtMs = kernel.system.monotonicMs();
  }

  /** @returns Whether a client with this public key may connect; a refusal is logged. */
  has(publicKey: string): boolean {
    const nowMs = this.#kernel.system.monotonicMs();
    if (nowMs - this.#readAtMs >= intervalMs) this.#readAgain(nowMs);
    if (this.#keys.has(publicKey)) return true;
    this.#refusedCount += 1;
    if (nowMs - this.#toldAtMs >= intervalMs) {
      this.#toldAtMs = nowMs;
      this.#kernel.log.warn("a process was refused at the proxy: its key is not allowed", {
        key: publicKey,
        refused: this.#refusedCount,
        file: this.#path,
      });
    }
    return false;
  }

  #readAgain(nowMs: number): void {
    this.#readAtMs = nowMs;
    try {
      this.#keys = readKeys(this.#path);
    } catch (error) {
      this.#kernel.log.error("the keys that are allowed stay as they were", { error });
    }
  }
}

function readKeys(path: string): ReadonlySet<string> {
  const key = "allowed_clients";
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const reason = `"${path}" cannot be read: ${reasonOf(cause)}`;
    throw new compositionErrors.TRANSPORT_KEY(
      { section: "security.transport.zmq.curve", key, reason },
      { cause },
    );
  }
  const keys = new Set<string>();
  for (const [index, line] of text.split("\n").entries()) {
    const [word = ""] = line.trim().split(/\s/, 1);
    if (word === "" || word === "#") continue;
    if (word.length !== keyLength) {
      const reason = `line ${index + 1} of "${path}" begins with no key of ${keyLength} characters`;
      throw new compositionErrors.TRANSPORT_KEY({
        section: "security.transport.zmq.curve",
        key,
        reason,
      });
    }
    keys.add(word);
  }
  return keys;
}
