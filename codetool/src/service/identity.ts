import { type BigIntStats, statSync } from "node:fs";
import process from "node:process";
import { version } from "../system/index.ts";

/** Tells one build of the program from another, so that a process asks only a service of its own build. */
export class ProgramIdentity {
  readonly #paths: readonly string[];
  /** What this process was started from. */
  readonly text: string;

  constructor() {
    this.#paths = programWords();
    this.text = this.#read();
  }

  /** Whether what this process was started from is still there, and the same. */
  isCurrent(): boolean {
    return this.#read() === this.text;
  }

  #read(): string {
    return [version, ...this.#paths.map(stampOf)].join(" ");
  }
}

/** How this program is started: the executable, which has the program in it; or Node, and the launcher that it is given. */
export function programWords(): readonly [string, ...string[]] {
  const { execPath, argv } = process;
  const [, script] = argv;
  return "Bun" in globalThis || script === undefined ? [execPath] : [execPath, script];
}

function stampOf(path: string): string {
  let stat: BigIntStats | undefined;
  try {
    stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Not ours to look at any more: as good as gone.
  }
  return stat === undefined ? "gone" : [stat.dev, stat.ino, stat.size, stat.mtimeNs].join(":");
}
