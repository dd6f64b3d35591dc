import process from "node:process";
import type { Frame, TerminalSize } from "./frame.ts";
import type { TerminalEvent } from "./terminal-event.ts";
import { readTerminal } from "./terminal-input.ts";

/** The packages that a screen needs, which users install: those versions are tested. */
const screenPackages = "ink@8.0.0 react@19.3.1";

/** A terminal that shows frames and tells what a person does. */
export interface Screen {
  readonly size: TerminalSize;
  /** Shows a frame in place of the one before. */
  show(frame: Frame): void;
  /** Gives the terminal back as it was. */
  close(): Promise<void>;
}

/**
 * Looks whether the screen's library is there, without loading it.
 *
 * @param packages As npm installs them.
 * @returns What installs it; undefined where it is there.
 */
export function missingScreen(packages = screenPackages): string | undefined {
  try {
    for (const each of packages.split(" "))
      import.meta.resolve(each.slice(0, each.lastIndexOf("@")));
    return undefined;
  } catch {
    return `npm install ${packages}`;
  }
}

/** Buttons and the wheel are reported, with columns and rows of any size: xterm's modes 1000 and 1006. */
const mouseOn = "\u001B[?1000h\u001B[?1006h";
const mouseOff = "\u001B[?1006l\u001B[?1000l";

/**
 * Takes the terminal of this process, until it is closed. Its library is loaded here.
 *
 * @param onEvent Called for each key, click, turn of the wheel, and after a change of the size.
 */
export async function openScreen(onEvent: (event: TerminalEvent) => void): Promise<Screen> {
  // Read by the library when it is loaded: without it each element is checked.
  process.env["NODE_ENV"] ??= "production";
  const [ink, { frameElement }] = await Promise.all([import("ink"), import("./frame-element.ts")]);
  const { stdout } = process;
  const sizeNow = (): TerminalSize => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 });

  const empty: Frame = { top: [], panes: [], bottom: [] };
  const instance = ink.render(frameElement(empty, sizeNow()), {
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    interactive: true,
    patchConsole: false,
  });
  const onResize = (): void => onEvent({ kind: "resize" });
  // However the process ends: a terminal that goes on reporting the mouse cannot be used.
  const giveBack = (): void => void stdout.write(mouseOff);
  stdout.on("resize", onResize);
  process.once("exit", giveBack);
  stdout.write(mouseOn);
  // The library hears nothing of the mouse, so that it is not asked for keys either.
  const endReading = readTerminal(process.stdin, onEvent);
  return {
    get size() {
      return sizeNow();
    },
    show: (frame) => instance.rerender(frameElement(frame, sizeNow())),
    close: async () => {
      stdout.off("resize", onResize);
      process.off("exit", giveBack);
      endReading();
      giveBack();
      instance.unmount();
      await instance.waitUntilExit();
    },
  };
}
