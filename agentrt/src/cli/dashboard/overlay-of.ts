import type { Frame, TerminalSize } from "../../terminal/index.ts";
import { cutText, padText } from "../../terminal/index.ts";
import type { DashboardState } from "./dashboard-state.ts";

const widthMax = 60;

const helpLines = [
  "↑ ↓ j k      move in the pane, PgUp PgDn Home End",
  "← → Enter    fold and unfold a node of the tree",
  "Tab          next pane; a click does the same",
  "f            widen the detail",
  "h e a        history of the agent, events, approvals",
  "Esc          back to the detail, and no filter",
  "/            filter the tree by name or status",
  "s r d R      suspend, resume, drain, restart",
  "y n          approve, deny: in the approvals",
  "1 to 9       another topology",
  "Ctrl+P       all commands by name",
  "q            quit; what runs goes on",
] as const;

function overlayRowsMax({ rows }: TerminalSize): number {
  return Math.max(1, rows - 6);
}

/** @returns Which entry of the palette is its first line, so that the chosen one is seen. */
export function firstEntrySeen(index: number, size: TerminalSize): number {
  return Math.max(0, index - overlayRowsMax(size) + 2);
}

/** Makes the window above the panes that a mode has. */
export function overlayOf(dashboard: DashboardState, size: TerminalSize): Frame["overlay"] {
  const { mode, tones } = dashboard;
  const width = Math.min(widthMax, Math.max(20, size.columns - 4));
  const inner = width - 2;
  const rowsMax = overlayRowsMax(size);
  switch (mode.kind) {
    case "help":
      return {
        title: "Keys",
        width,
        lines: helpLines.slice(0, rowsMax).map((line) => padText(line, inner)),
      };
    case "confirm":
      return {
        title: cutText(mode.operation.question, inner),
        width,
        lines: [padText("y or Enter does it, n or Esc does not", inner)],
      };
    case "palette": {
      const { entries } = dashboard;
      const first = firstEntrySeen(mode.index, size);
      const lines = entries.slice(first, first + rowsMax - 1).map(({ title, key }, index) => {
        const line = `${padText(title, inner - 4)} ${padText(key, 3)}`;
        return first + index === mode.index ? tones.inverse(line) : line;
      });
      return { title: "Commands", width, lines: [padText(`> ${mode.text}▏`, inner), ...lines] };
    }
    case "panes":
    case "filter":
      return undefined;
  }
}
