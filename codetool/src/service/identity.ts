import { type BigIntStats, statSync } from "node:fs";
import process from "node:process";
import { version } from "../system/index.ts";

/** Tells one build of the program from another, so that a process asks only a service of its own build. */
export class ProgramIdentity {
  readonly #paths: readonly string[];
  /** What this process was started from. */
  readonly text: string;

  constructor() {
    const script = scriptPath();
    this.#paths = script === undefined ? [process.execPath] : [process.execPath, script];
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

/** The file that Node was started with; `undefined` in the one-file executable, which has it inside. */
export function scriptPath(): string | undefined {
  return "Bun" in globalThis ? undefined : process.argv[1];
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
