import { printable } from "../core/index.ts";
import type { CommandIo } from "./command.ts";

/**
 * Messages for people: one line each, without control characters, through the masks that commands put over them.
 *
 * @param write Takes the text of a line with its end.
 */
export function createTell(write: (text: string) => void): Pick<CommandIo, "tell" | "hide"> {
  const masks: ((text: string) => string)[] = [];
  return {
    tell: (line) => {
      const shown = masks.reduce((text, mask) => mask(text), line);
      write(`${printable(shown)}\n`);
    },
    hide: (mask) => void masks.push(mask),
  };
}
