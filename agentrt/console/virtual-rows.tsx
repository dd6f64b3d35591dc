import type { ComponentChildren, HTMLAttributes, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** So many rows outside of what is seen are there, too, on each side. */
const spareCount = 8;

/**
 * A grid of which only the rows that are seen exist. Arrow keys, page keys, Home and End move the row that has the focus; what
 * other keys do is the caller's.
 */
export function VirtualRows<Row>(of: {
  readonly label: string;
  readonly role: "grid" | "treegrid";
  readonly rows: readonly Row[];
  /** Of each row, in pixels. */
  readonly rowHeight: number;
  readonly columnCount: number;
  readonly head: ComponentChildren;
  readonly keyOf: (row: Row) => string;
  readonly show: (row: Row) => ComponentChildren;
  /** Further attributes of a row, for what reads the screen aloud. */
  readonly about?: (row: Row) => HTMLAttributes<HTMLDivElement>;
  /** Hears which rows exist, whenever others do. */
  readonly onSee?: (rows: readonly Row[]) => void;
  /** Hears of a click on a row. */
  readonly onChoose?: (row: Row) => void;
  /** @returns True when it did something. */
  readonly onKey?: (key: string, row: Row) => boolean;
}): JSX.Element {
  const { rows, rowHeight } = of;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [activeKey, setActiveKey] = useState<string>();
  const isMoving = useRef(false);
  useEffect(() => followSize(box.current, setView), []);
  const found = rows.findIndex((row) => of.keyOf(row) === activeKey);
  const activeIndex = found === -1 ? 0 : found;
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spareCount);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + spareCount);
  useEffect(() => of.onSee?.(rows.slice(first, last)), [rows, first, last]);
  // Where the wheel has left the active row behind, Tab leads to the first row that is seen.
  const seenFirst = Math.ceil(view.top / rowHeight);
  const isSeen = activeIndex >= first && activeIndex < last;
  const tabIndexOf = (index: number): 0 | -1 =>
    index === (isSeen ? activeIndex : seenFirst) ? 0 : -1;
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    // A row that is far away is there only after the scroll.
    const row = box.current?.querySelector<HTMLElement>(`[aria-rowindex="${activeIndex + 2}"]`);
    if (row === undefined || row === null) return;
    isMoving.current = false;
    row.focus({ preventScroll: true });
  });
  const move = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    isMoving.current = true;
    setActiveKey(of.keyOf(row));
    bringIntoView(box.current, rows.indexOf(row) * rowHeight, rowHeight);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isRow = event.target instanceof HTMLElement && event.target.role === "row";
    if (!isRow || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = stepOf(event.key, { activeIndex, rowCount: rows.length, view, rowHeight });
    const row = rows[activeIndex];
    if (step !== undefined) move(step);
    else if (row === undefined || of.onKey?.(event.key, row) !== true) return;
    event.preventDefault();
  };
  return (
    <div
      class="grid"
      role={of.role}
      aria-label={of.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={of.columnCount}
    >
      {of.head}
      <div class="rows" role="rowgroup" ref={box} onKeyDown={onKeyDown}>
        <div class="all" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, last).map((row, offset) => (
            <div
              key={of.keyOf(row)}
              role="row"
              class="row"
              aria-rowindex={first + offset + 2}
              tabIndex={tabIndexOf(first + offset)}
              onFocus={() => setActiveKey(of.keyOf(row))}
              onClick={() => of.onChoose?.(row)}
              style={{ top: `${(first + offset) * rowHeight}px`, height: `${rowHeight}px` }}
              {...of.about?.(row)}
            >
              {of.show(row)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

interface View {
  readonly top: number;
  readonly height: number;
}

function followSize(box: HTMLElement | null, setView: (view: View) => void): () => void {
  if (box === null) return () => undefined;
  const read = (): void => setView({ top: box.scrollTop, height: box.clientHeight });
  const observer = new ResizeObserver(read);
  observer.observe(box);
  box.addEventListener("scroll", read, { passive: true });
  read();
  return () => {
    observer.disconnect();
    box.removeEventListener("scroll", read);
  };
}

function bringIntoView(box: HTMLElement | null, top: number, height: number): void {
  if (box === null) return;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight)
    box.scrollTop = top + height - box.clientHeight;
}

function stepOf(
  key: string,
  of: {
    readonly activeIndex: number;
    readonly rowCount: number;
    readonly view: View;
    readonly rowHeight: number;
  },
): number | undefined {
  const page = Math.max(1, Math.floor(of.view.height / of.rowHeight) - 1);
  switch (key) {
    case "ArrowDown":
      return of.activeIndex + 1;
    case "ArrowUp":
      return of.activeIndex - 1;
    case "PageDown":
      return of.activeIndex + page;
    case "PageUp":
      return of.activeIndex - page;
    case "Home":
      return 0;
    case "End":
      return of.rowCount - 1;
    default:
      return undefined;
  }
}
