import type { Tones } from "../../terminal/index.ts";
import type { Operation } from "./intent.ts";
import type { PaletteEntry } from "./palette.ts";
import type { Tab } from "./tab.ts";

/** What takes the keys instead of the panes. */
export type Mode =
  | { readonly kind: "panes" }
  | { readonly kind: "filter" }
  | { readonly kind: "palette"; readonly text: string; readonly index: number }
  | { readonly kind: "confirm"; readonly operation: Operation }
  | { readonly kind: "help" };

/** All that a picture of the dashboard is made from. */
export interface DashboardState {
  readonly tabs: readonly Tab[];
  readonly active: Tab;
  readonly activeIndex: number;
  readonly tones: Tones;
  readonly refreshSeconds: number;
  /** Seconds since the Unix epoch. */
  readonly nowSeconds: () => number;
  /** The detail is wide. */
  readonly isFocusMode: boolean;
  /** Pane that the arrow keys move in: tree, middle, processes. */
  readonly focusedPane: number;
  readonly mode: Mode;
  /** What came of the last operation; empty for none. */
  readonly message: string;
  /** Lines of the palette that fit what was typed. */
  readonly entries: readonly PaletteEntry[];
}
