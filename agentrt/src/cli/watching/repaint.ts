import process from "node:process";
import { createRealSystem } from "../../core/index.ts";
import type { CommandIo } from "../command.ts";

/** How a picture is shown again and again. */
export interface RepaintOptions {
  /** Between two pictures, milliseconds. */
  readonly intervalMs: number;
  /** Makes the picture: lines, each with a line feed. */
  readonly draw: () => Promise<string>;
}

const home = "\u001B[H";
const eraseLine = "\u001B[K";
const eraseBelow = "\u001B[J";
const clear = "\u001B[2J";
/** A line that is too long is cut at the edge: where it went on below, the picture would be higher than its lines. */
const cutLines = "\u001B[?7l";
const wrapLines = "\u001B[?7h";

/**
 * Shows a picture again and again, until the program is ended. On a terminal each takes the place of the one before;
 * elsewhere one that changed follows behind an empty line.
 *
 * @param io Where it goes.
 * @param options What is shown, and how often.
 * @throws What `draw` throws.
 */
export async function repaint(io: CommandIo, options: RepaintOptions): Promise<never> {
  const system = createRealSystem();
  const isTerminal = process.stdout.isTTY;
  let before: string | undefined;
  for (;;) {
    const picture = await options.draw();
    if (isTerminal) {
      // Drawn over, not cleared: nothing flickers.
      const height = Math.max(1, (process.stdout.rows ?? 24) - 1);
      const lines = picture.replace(/\n$/, "").split("\n").slice(0, height);
      const first = before === undefined ? clear : "";
      const drawn = lines.map((line) => `${line}${eraseLine}\n`).join("");
      // One write, and the cursor below the picture: Ctrl+C leaves a whole terminal at any time.
      io.print(`${first}${cutLines}${home}${drawn}${eraseBelow}${wrapLines}`);
    } else if (picture !== before) {
      io.print(before === undefined ? picture : `\n${picture}`);
    }
    before = picture;
    await new Promise<void>((resolve) => void system.setTimer(options.intervalMs, resolve));
  }
}
