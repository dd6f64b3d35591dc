/** Size of a terminal, in cells. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** One of the panes that share the middle of a frame, from left to right. */
export interface Pane {
  readonly title: string;
  /** What is in it; lines below its lower edge are not seen. They may have colours. */
  readonly lines: readonly string[];
  /** Cells, with the two of its border. */
  readonly width: number;
  /** True for the one that the arrow keys move in. */
  readonly isFocused: boolean;
}

/** What a terminal shows, as one value. */
export interface Frame {
  /** Lines above the panes. */
  readonly top: readonly string[];
  readonly panes: readonly Pane[];
  /** Lines below the panes. */
  readonly bottom: readonly string[];
  /** A window above all of it. */
  readonly overlay?: Overlay | undefined;
}

/** A window above a frame, in the middle of the terminal. */
export interface Overlay {
  readonly title: string;
  readonly lines: readonly string[];
  /** Cells, with the two of its border. */
  readonly width: number;
}

/** Cells that the border of a pane takes of its height, and its title. */
const paneFrameRows = 3;

/** @returns How many lines of a pane are seen. */
export function linesOf({ top, bottom }: Pick<Frame, "bottom" | "top">, rows: number): number {
  return Math.max(0, rows - top.length - bottom.length - paneFrameRows);
}

/** A place in a frame that somebody pointed at. */
export type Spot =
  | { readonly kind: "top"; readonly row: number }
  | { readonly kind: "pane"; readonly pane: number; readonly line: number }
  | { readonly kind: "overlay"; readonly line: number }
  | { readonly kind: "none" };

/** @returns Rows of the overlay: its border, its title, its lines. */
function overlayRows({ lines }: Overlay): number {
  return lines.length + paneFrameRows;
}

/**
 * Finds what is at a cell of the terminal.
 *
 * @param frame What it shows.
 * @param at Column and row, from 0.
 * @param size Of the terminal.
 * @returns A line of a pane, from 0 at its first one; negative for its title.
 */
export function paneAt(
  frame: Frame,
  at: { readonly column: number; readonly row: number },
  size: TerminalSize,
): Spot {
  const { overlay, top, panes, bottom } = frame;
  if (overlay !== undefined) {
    const first = Math.floor((size.rows - overlayRows(overlay)) / 2);
    const left = Math.floor((size.columns - overlay.width) / 2);
    const line = at.row - first - 2;
    const isInside = at.column > left && at.column < left + overlay.width - 1;
    return isInside && line >= 0 && line < overlay.lines.length
      ? { kind: "overlay", line }
      : { kind: "none" };
  }
  if (at.row < top.length) return { kind: "top", row: at.row };
  if (at.row >= size.rows - bottom.length) return { kind: "none" };
  let right = 0;
  const pane = panes.findIndex(({ width }) => at.column < (right += width));
  return pane === -1 ? { kind: "none" } : { kind: "pane", pane, line: at.row - top.length - 2 };
}
