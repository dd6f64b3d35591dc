import type { Frame, Spot, TerminalEvent, TerminalSize, Tones } from "../../terminal/index.ts";
import { paneAt } from "../../terminal/index.ts";
import { frameOf, middlePane, seenLines, tabAt, treePane } from "./frame-of.ts";
import { agentActs, agentOperation, decision, type Intent, type Operation } from "./intent.ts";
import {
  matchingEntries,
  type PaletteDoing,
  type PaletteEntry,
  paletteEntries,
} from "./palette.ts";
import { firstEntrySeen } from "./overlay-of.ts";
import type { DashboardState, Mode } from "./dashboard-state.ts";
import type { MiddleView, Tab } from "./tab.ts";

/** What a dashboard is made of. */
export interface DashboardOptions {
  /** One at least. */
  readonly tabs: readonly Tab[];
  readonly tones: Tones;
  /** Seconds between two polls. */
  readonly refreshSeconds: number;
  /** The clock: seconds since the Unix epoch. */
  readonly nowSeconds: () => number;
}

/** The dashboard as a value: what came of polls and keys, and what is to be shown. */
export class Dashboard implements DashboardState {
  readonly tabs: readonly Tab[];
  readonly tones: Tones;
  /** Seconds between two polls. */
  readonly refreshSeconds: number;
  /** Seconds since the Unix epoch. */
  readonly nowSeconds: () => number;
  activeIndex = 0;
  /** The detail is wide. */
  isFocusMode = false;
  /** Pane that the arrow keys move in: tree, middle, processes. */
  focusedPane = 0;
  mode: Mode = { kind: "panes" };
  /** What came of the last operation; empty for none. */
  message = "";

  constructor({ tabs, tones, refreshSeconds, nowSeconds }: DashboardOptions) {
    this.tabs = tabs;
    this.tones = tones;
    this.refreshSeconds = refreshSeconds;
    this.nowSeconds = nowSeconds;
  }

  get active(): Tab {
    const tab = this.tabs[this.activeIndex] ?? this.tabs[0];
    if (tab === undefined) throw new TypeError("a dashboard has one tab at least");
    return tab;
  }

  /** Lines of the palette that fit what was typed. */
  get entries(): readonly PaletteEntry[] {
    const all = paletteEntries(this.tabs, this.active);
    return this.mode.kind === "palette" ? matchingEntries(all, this.mode.text) : all;
  }

  frame(size: TerminalSize): Frame {
    return frameOf(this, size);
  }

  /**
   * Takes what a person did.
   *
   * @param size Of the terminal, for what was pointed at.
   * @returns What is to be done outside.
   */
  press(event: TerminalEvent, size: TerminalSize): Intent[] {
    if (event.kind === "resize") return [];
    if (event.kind === "key" && event.key === "ctrl+c") return [{ kind: "quit" }];
    if (event.kind === "click" || event.kind === "wheel") return this.#point(event, size);
    switch (this.mode.kind) {
      case "panes":
        return this.#pressInPanes(event, size);
      case "filter":
        return this.#pressInFilter(event);
      case "palette":
        return this.#pressInPalette(event, this.mode);
      case "confirm":
        return this.#answer(event, this.mode.operation);
      case "help":
        this.mode = { kind: "panes" };
        return [];
    }
  }

  #pressInPanes(event: Pressed, size: TerminalSize): Intent[] {
    this.message = "";
    if (event.kind === "text") return this.#pressLetter(event.text);
    const page = Math.max(1, seenLines(this, size));
    switch (event.key) {
      case "ctrl+p":
        this.mode = { kind: "palette", text: "", index: 0 };
        return [];
      case "up":
        return this.#move(-1);
      case "down":
        return this.#move(1);
      case "pageUp":
        return this.#move(-page);
      case "pageDown":
        return this.#move(page);
      case "home":
        return this.#move(Number.NEGATIVE_INFINITY);
      case "end":
        return this.#move(Number.POSITIVE_INFINITY);
      case "left":
      case "right":
        this.active.fold(event.key === "left");
        return [];
      case "enter":
        this.active.fold(this.active.selected?.isCollapsed === false);
        return [];
      case "tab":
      case "backTab":
        this.focusedPane = (this.focusedPane + (event.key === "tab" ? 1 : 2)) % 3;
        return [];
      case "escape":
        if (this.active.middle === "detail") this.active.filter = "";
        return this.#view("detail");
      case "backspace":
      case "ctrl+c":
        return [];
    }
  }

  #pressLetter(letter: string): Intent[] {
    const act = agentActs[letter];
    if (act !== undefined) return this.#propose(agentOperation(act, this.active), "an agent");
    const isDeciding = this.active.middle === "approvals";
    if (isDeciding && (letter === "y" || letter === "n"))
      return this.#propose(decision(this.active, letter === "y"), "an approval");
    const tab = /^[1-9]$/.test(letter) ? Number(letter) - 1 : undefined;
    if (tab !== undefined) return this.#do({ kind: "tab", index: tab });
    switch (letter) {
      case "q":
        return [{ kind: "quit" }];
      case "f":
        // What is widened is a node's detail: without one there is nothing to see.
        if (this.active.selected !== undefined) this.isFocusMode = !this.isFocusMode;
        return [];
      case "/":
        this.mode = { kind: "filter" };
        return [];
      case "?":
        this.mode = { kind: "help" };
        return [];
      case "j":
      case "k":
        return this.#move(letter === "j" ? 1 : -1);
      case "h":
        return this.#toggle("history");
      case "e":
        return this.#toggle("events");
      case "a":
        return this.#toggle("approvals");
      default:
        return [];
    }
  }

  #toggle(view: MiddleView): Intent[] {
    return this.#view(this.active.middle === view ? "detail" : view);
  }

  #view(view: MiddleView): Intent[] {
    const { active } = this;
    active.middle = view;
    active.scrolls[1] = 0;
    return [{ kind: "refresh", tab: active }];
  }

  /** Moves in the focused pane: the selection of the tree and of approvals, the lines of the others. */
  #move(step: number): Intent[] {
    const { active, focusedPane } = this;
    if (focusedPane === treePane) {
      active.move(step);
      return [{ kind: "refresh", tab: active }];
    }
    if (focusedPane === middlePane && active.middle === "approvals") {
      const last = Math.max(0, active.approvals.length - 1);
      active.approvalIndex = Math.min(last, Math.max(0, active.approvalIndex + step));
      return [];
    }
    this.#scroll(focusedPane, step);
    return [];
  }

  #scroll(pane: number, step: number): void {
    const { scrolls } = this.active;
    // What is too far is put right where the frame is made: it knows how many lines there are.
    scrolls[pane] = Math.max(0, Math.min(1e6, (scrolls[pane] ?? 0) + step));
  }

  #propose(operation: Operation | undefined, what: string): Intent[] {
    if (operation === undefined) this.message = `select ${what} first`;
    else this.mode = { kind: "confirm", operation };
    return [];
  }

  #answer(event: Pressed, operation: Operation): Intent[] {
    const isYes = event.kind === "text" ? event.text === "y" : event.key === "enter";
    const isNo = event.kind === "text" ? event.text === "n" : event.key === "escape";
    if (!isYes && !isNo) return [];
    this.mode = { kind: "panes" };
    return isYes ? [{ kind: "post", tab: this.active, operation }] : [];
  }

  #pressInFilter(event: Pressed): Intent[] {
    const { active } = this;
    if (event.kind === "text") {
      active.filter += event.text;
      return [];
    }
    if (event.key === "backspace") active.filter = active.filter.slice(0, -1);
    if (event.key === "escape") active.filter = "";
    if (event.key === "escape" || event.key === "enter") this.mode = { kind: "panes" };
    if (event.key === "up" || event.key === "down") return this.#move(event.key === "up" ? -1 : 1);
    return [];
  }

  #pressInPalette(event: Pressed, mode: Mode & { readonly kind: "palette" }): Intent[] {
    const { text, index } = mode;
    const last = Math.max(0, this.entries.length - 1);
    if (event.kind === "text") {
      this.mode = { kind: "palette", text: text + event.text, index: 0 };
      return [];
    }
    switch (event.key) {
      case "backspace":
        this.mode = { kind: "palette", text: text.slice(0, -1), index: 0 };
        return [];
      case "up":
      case "down": {
        const next = index + (event.key === "up" ? -1 : 1);
        this.mode = { ...mode, index: Math.min(last, Math.max(0, next)) };
        return [];
      }
      case "enter":
        return this.#choose(this.entries[index]);
      case "escape":
      case "ctrl+p":
        this.mode = { kind: "panes" };
        return [];
      default:
        return [];
    }
  }

  #choose(entry: PaletteEntry | undefined): Intent[] {
    if (entry === undefined) return [];
    this.mode = { kind: "panes" };
    return this.#do(entry.does);
  }

  #do(doing: PaletteDoing): Intent[] {
    switch (doing.kind) {
      case "key":
        return this.#pressLetter(doing.key);
      case "view":
        return this.#view(doing.view);
      case "quit":
        return [{ kind: "quit" }];
      case "tab":
        if (doing.index >= this.tabs.length) return [];
        this.activeIndex = doing.index;
        return [{ kind: "refresh", tab: this.active }];
    }
  }

  #point(event: Pointed, size: TerminalSize): Intent[] {
    const spot = paneAt(this.frame(size), event, size);
    if (event.kind === "wheel") {
      if (spot.kind === "pane") this.#scroll(spot.pane, event.step * 3);
      return [];
    }
    if (spot.kind === "overlay") {
      if (this.mode.kind !== "palette" || spot.line === 0) return [];
      // The first line is what was typed.
      const first = firstEntrySeen(this.mode.index, size);
      return this.#choose(this.entries[first + spot.line - 1]);
    }
    return this.#click(spot, event.column);
  }

  #click(spot: Spot, column: number): Intent[] {
    if (this.mode.kind === "palette" || this.mode.kind === "help") this.mode = { kind: "panes" };
    if (this.mode.kind !== "panes") return [];
    if (spot.kind === "top") {
      const index = spot.row === 1 ? tabAt(this, column) : undefined;
      return index === undefined ? [] : this.#do({ kind: "tab", index });
    }
    if (spot.kind !== "pane") return [];
    this.focusedPane = spot.pane;
    const { active } = this;
    const row = active.rows[active.scrolls[0] + spot.line];
    if (spot.pane !== treePane || spot.line < 0 || row === undefined) return [];
    active.select(row.name);
    return [{ kind: "refresh", tab: active }];
  }
}

type Pressed = Extract<TerminalEvent, { kind: "key" | "text" }>;
type Pointed = Extract<TerminalEvent, { kind: "click" | "wheel" }>;
