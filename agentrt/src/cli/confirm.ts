import process from "node:process";
import { printable } from "../core/index.ts";

/**
 * Asks the person at the terminal a question that only `y` or `yes` agrees to; Ctrl+C and Ctrl+D are a no.
 *
 * @param question Written to stderr, so that stdout stays data.
 * @returns Whether the answer was yes.
 */
export async function confirmOnTerminal(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return await new Promise((resolve) => {
    let isAgreed = false;
    terminal.on("close", () => resolve(isAgreed));
    terminal.on("SIGINT", () => {
      process.stderr.write("\n");
      terminal.close();
    });
    terminal.question(`${printable(question)} [y/N] `, (answer) => {
      isAgreed = /^y(?:es)?$/i.test(answer.trim());
      terminal.close();
    });
  });
}
