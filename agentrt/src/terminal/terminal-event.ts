/** Keys with names. */
export type KeyName =
  | "up"
  | "down"
  | "left"
  | "right"
  | "pageUp"
  | "pageDown"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "tab"
  | "backTab"
  | "backspace"
  | "ctrl+c"
  | "ctrl+p";

/** What a person did at a terminal. */
export type TerminalEvent =
  | { readonly kind: "key"; readonly key: KeyName }
  /** One character. */
  | { readonly kind: "text"; readonly text: string }
  /** A button of the mouse went down; columns and rows count from 0. */
  | { readonly kind: "click"; readonly column: number; readonly row: number }
  | {
      readonly kind: "wheel";
      readonly step: -1 | 1;
      readonly column: number;
      readonly row: number;
    }
  | { readonly kind: "resize" };

/** A key as `node:readline` says it. */
export interface PressedKey {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
}

const keyNames: { readonly [name: string]: KeyName } = {
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  pageup: "pageUp",
  pagedown: "pageDown",
  home: "home",
  end: "end",
  return: "enter",
  enter: "enter",
  escape: "escape",
  tab: "tab",
  backspace: "backspace",
};

/**
 * Says what a pressed key means.
 *
 * @param text The character that it makes; undefined for none.
 * @param key Which key it is.
 * @returns Undefined for what has no meaning here.
 */
export function keyEvent(text: string | undefined, key: PressedKey): TerminalEvent | undefined {
  const {
    name = "",
    ctrl: isControl = false,
    meta: isMeta = false,
    shift: isShifted = false,
  } = key;
  if (isControl)
    return name === "c" || name === "p" ? { kind: "key", key: `ctrl+${name}` } : undefined;
  if (name === "tab" && isShifted) return { kind: "key", key: "backTab" };
  const named = keyNames[name];
  // A second escape right behind the first one is said to be one with the meta key.
  if (named !== undefined && (!isMeta || named === "escape")) return { kind: "key", key: named };
  if (isMeta || text === undefined || text === "" || /\p{Cc}/u.test(text)) return undefined;
  return { kind: "text", text };
}

/** Mouse reports of xterm's mode 1006: `ESC [ < button ; column ; row M`, a release ends with `m`. */
const mousePattern = /\u001B\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])/g;
/** A report whose end has not come yet. */
const mouseBeginPattern = /\u001B\[<[\d;]{0,17}$/;

/** An input, taken apart. */
export interface SplitInput {
  /** What the mouse did. */
  readonly events: readonly TerminalEvent[];
  /** What is not of the mouse. */
  readonly keys: string;
  /** The begin of a report: it goes before the next input. */
  readonly rest: string;
}

/** Takes the reports of the mouse out of an input of the terminal. */
export function splitInput(input: string): SplitInput {
  const events = Array.from(input.matchAll(mousePattern), mouseEvent).filter(
    (event) => event !== undefined,
  );
  const others = input.replaceAll(mousePattern, "");
  const rest = mouseBeginPattern.exec(others)?.[0] ?? "";
  return { events, keys: others.slice(0, others.length - rest.length), rest };
}

function mouseEvent([, button, column, row, end]: RegExpExecArray): TerminalEvent | undefined {
  const at = { column: Number(column) - 1, row: Number(row) - 1 };
  if (end === "m" || at.column < 0 || at.row < 0) return undefined;
  if (button === "64") return { kind: "wheel", step: -1, ...at };
  if (button === "65") return { kind: "wheel", step: 1, ...at };
  return Number(button) < 3 ? { kind: "click", ...at } : undefined;
}
