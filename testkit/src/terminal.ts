import { execFileSync } from "node:child_process";
import { createTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

/** A program in a real terminal: tmux on a separate socket. */
export class Terminal implements Disposable {
  readonly #folder: TemporaryFolder;

  constructor(folder: TemporaryFolder) {
    this.#folder = folder;
  }

  /** Runs a tmux command on this terminal's server and returns what it printed. */
  tmux(...args: string[]): string {
    return execFileSync("tmux", ["-S", `${this.#folder.path}/socket`, "-f", "/dev/null", ...args], {
      encoding: "utf8",
    });
  }

  /** Types keys, in tmux's names: `"q"`, `"Enter"`, `"C-p"`. */
  type(...keys: string[]): void {
    this.tmux("send-keys", "-t", "main", ...keys);
  }

  /** The screen as text, trailing blanks cut. */
  screen(): string {
    return this.tmux("capture-pane", "-p", "-t", "main");
  }

  /** Polls the screen until it matches; throws with the last screen after `timeoutMs`, default 20 000. */
  async waitFor(pattern: RegExp, timeoutMs = 20_000): Promise<string> {
    const screen = await this.until((shown) => pattern.test(shown), timeoutMs);
    if (!pattern.test(screen)) throw new Error(`the screen never matched ${pattern}:\n${screen}`);
    return screen;
  }

  /** Polls the screen until something is so of it, or for `timeoutMs`, default 20 000. @returns The last screen. */
  async until(isSo: (screen: string) => boolean, timeoutMs = 20_000): Promise<string> {
    const deadlineMs = performance.now() + timeoutMs;
    for (;;) {
      const screen = this.screen();
      if (isSo(screen) || performance.now() > deadlineMs) return screen;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  [Symbol.dispose](): void {
    this.tmux("kill-server");
    this.#folder[Symbol.dispose]();
  }
}

/**
 * Opens a terminal that runs a command line in a shell and stays open when it ends.
 *
 * @param commandLine What the shell runs first.
 * @param size Columns and rows, default 80 by 24.
 */
export function openTerminal(
  commandLine: string,
  size: { columns: number; rows: number } = { columns: 80, rows: 24 },
): Terminal {
  const terminal = new Terminal(createTemporaryFolder());
  terminal.tmux(
    "new-session",
    "-d",
    "-s",
    "main",
    "-x",
    String(size.columns),
    "-y",
    String(size.rows),
    "env PS1='$ ' sh",
  );
  terminal.type(commandLine, "Enter");
  return terminal;
}
