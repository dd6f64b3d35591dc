import { PassThrough } from "node:stream";
import { emitKeypressEvents } from "node:readline";
import type { ReadStream } from "node:tty";
import { keyEvent, type PressedKey, splitInput, type TerminalEvent } from "./terminal-event.ts";

/**
 * Tells what a person does at a terminal. The terminal gives its keys unread from now on, Ctrl+C too.
 *
 * @param stdin The terminal.
 * @param onEvent Called for each key, click and turn of the wheel.
 * @returns Ends it, and gives the terminal its own ways back.
 */
export function readTerminal(
  stdin: ReadStream,
  onEvent: (event: TerminalEvent) => void,
): () => void {
  const keys = new PassThrough();
  emitKeypressEvents(keys);
  keys.on("keypress", (text: string | undefined, key: PressedKey) => {
    const event = keyEvent(text, key);
    if (event !== undefined) onEvent(event);
  });
  let rest = "";
  const onData = (chunk: string): void => {
    const split = splitInput(rest + chunk);
    ({ rest } = split);
    split.events.forEach(onEvent);
    if (split.keys !== "") keys.write(split.keys);
  };
  stdin.setEncoding("utf8");
  stdin.setRawMode(true);
  stdin.on("data", onData);
  return () => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
    keys.destroy();
  };
}
