import type { SpanRecord } from "../../telemetry/index.ts";
import {
  type Frame,
  paneAt,
  type TerminalEvent,
  type TerminalSize,
  type Tones,
} from "../../terminal/index.ts";
import { frameOf, feedPane, seenLines } from "./frame-of.ts";
import type { Picture } from "./picture.ts";
import { parseSince, type Since } from "./since.ts";
import type { OpenTrace, ViewState } from "./view-state.ts";
import { traceRows } from "./waterfall.ts";

/** What the viewer wants done outside of it. */
export type ViewIntent =
  | { readonly kind: "quit" }
  /** The folder is to be read now. */
  | { readonly kind: "refresh" };

/** What the viewer is made of. */
export interface ViewOptions {
  readonly since: Since;
  readonly tones: Tones;
  /** Reads a trace. */
  readonly trace: (traceId: string) => readonly SpanRecord[];
}

/** Ranges by their keys. */
const rangeKeys: { readonly [key: string]: string } = { h: "1h", d: "24h", w: "7d", m: "30d" };

/** The viewer as a value: what was read and pressed, and what is to be shown. */
export class TelemetryView implements ViewState {
  readonly tones: Tones;
  since: Since;
  picture: Picture | undefined;
  /** The chosen line of the feed. */
  index = 0;
  /** The first line of the feed, or of the trace, that is seen. */
  scroll = 0;
  trace: OpenTrace | undefined;
  isHelp = false;
  readonly #trace: ViewOptions["trace"];

  constructor({ since, tones, trace }: ViewOptions) {
    this.since = since;
    this.tones = tones;
    this.#trace = trace;
  }

  /** Takes what was read; who looks at an older span goes on looking at it. */
  update(picture: Picture): void {
    const chosen = this.index === 0 ? undefined : this.#chosen;
    this.picture = picture;
    const at = picture.spans.findIndex(
      ({ spanId, traceId }) => spanId === chosen?.spanId && traceId === chosen.traceId,
    );
    this.index = at === -1 ? Math.min(this.index, Math.max(0, picture.spans.length - 1)) : at;
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
  press(event: TerminalEvent, size: TerminalSize): ViewIntent[] {
    switch (event.kind) {
      case "resize":
        return [];
      case "wheel":
        this.#move(event.step * 3);
        return [];
      case "click":
        this.#click(event, size);
        return [];
      case "text":
        return this.#pressLetter(event.text);
      case "key":
        return this.#pressKey(event.key, Math.max(1, seenLines(this, size)));
    }
  }

  #pressLetter(letter: string): ViewIntent[] {
    if (letter === "q") return [{ kind: "quit" }];
    this.isHelp = letter === "?" && !this.isHelp;
    if (letter === "r") return [{ kind: "refresh" }];
    if (letter === "j" || letter === "k") this.#move(letter === "j" ? 1 : -1);
    const since = parseSince(rangeKeys[letter] ?? "");
    if (since === undefined) return [];
    this.since = since;
    this.trace = undefined;
    this.index = 0;
    this.scroll = 0;
    return [{ kind: "refresh" }];
  }

  #pressKey(key: Extract<TerminalEvent, { kind: "key" }>["key"], page: number): ViewIntent[] {
    if (key === "ctrl+c") return [{ kind: "quit" }];
    const wasHelp = this.isHelp;
    this.isHelp = false;
    if (key === "escape" && !wasHelp) this.#back();
    if (key === "enter") this.#openTrace();
    const step = { up: -1, down: 1, pageUp: -page, pageDown: page, home: -1e9, end: 1e9 }[
      key as string
    ];
    if (step !== undefined) this.#move(step);
    return [];
  }

  get #chosen(): SpanRecord | undefined {
    return this.picture?.spans[this.index];
  }

  #back(): void {
    this.trace = undefined;
    this.scroll = 0;
  }

  #openTrace(): void {
    const chosen = this.#chosen;
    if (this.trace !== undefined || chosen === undefined) return;
    const read = this.#trace(chosen.traceId);
    const rows = traceRows(read.length === 0 ? [chosen] : read);
    const index = rows.findIndex(({ span }) => span.spanId === chosen.spanId);
    this.trace = { id: chosen.traceId, rows, index: Math.max(0, index) };
    this.scroll = 0;
  }

  #move(step: number): void {
    const within = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));
    if (this.trace !== undefined)
      this.trace.index = within(this.trace.index + step, this.trace.rows.length);
    else this.index = within(this.index + step, this.picture?.spans.length ?? 0);
  }

  #click(at: { readonly column: number; readonly row: number }, size: TerminalSize): void {
    this.isHelp = false;
    const spot = paneAt(this.frame(size), at, size);
    if (spot.kind !== "pane" || spot.line < 0) return;
    const line = this.scroll + spot.line;
    if (this.trace !== undefined) {
      if (spot.pane === 0 && line < this.trace.rows.length) this.trace.index = line;
    } else if (spot.pane === feedPane && line < (this.picture?.spans.length ?? 0)) {
      // A click on the chosen one opens it.
      if (this.index === line) this.#openTrace();
      else this.index = line;
    }
  }
}
