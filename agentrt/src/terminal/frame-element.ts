import { Box, Text } from "ink";
import { createElement, type ReactElement } from "react";
import type { Frame, Overlay, Pane, TerminalSize } from "./frame.ts";

/** Makes what Ink draws of a frame. Ink is loaded with this file. */
export function frameElement(frame: Frame, size: TerminalSize): ReactElement {
  const height = Math.max(0, size.rows - frame.top.length - frame.bottom.length);
  return createElement(
    Box,
    { flexDirection: "column", width: size.columns, height: size.rows, overflow: "hidden" },
    frame.top.map(lineElement),
    createElement(
      Box,
      { key: "panes", height },
      frame.panes.map((pane, index) => paneElement(pane, index, height)),
    ),
    frame.bottom.map(lineElement),
    frame.overlay === undefined ? undefined : overlayElement(frame.overlay, size),
  );
}

function lineElement(line: string, index: number): ReactElement {
  return createElement(Text, { key: index, wrap: "truncate" }, line === "" ? " " : line);
}

function titleElement(title: string): ReactElement {
  return createElement(Text, { key: "title", bold: true, wrap: "truncate" }, title);
}

function paneElement(pane: Pane, index: number, height: number): ReactElement {
  return createElement(
    Box,
    {
      key: `pane ${index}`,
      width: pane.width,
      height,
      overflow: "hidden",
      flexDirection: "column",
      borderStyle: pane.isFocused ? "bold" : "single",
      borderDimColor: !pane.isFocused,
    },
    titleElement(pane.title),
    pane.lines.slice(0, Math.max(0, height - 3)).map(lineElement),
  );
}

function overlayElement(overlay: Overlay, { columns, rows }: TerminalSize): ReactElement {
  return createElement(
    Box,
    {
      key: "overlay",
      position: "absolute",
      top: Math.max(0, Math.floor((rows - overlay.lines.length - 3) / 2)),
      left: Math.max(0, Math.floor((columns - overlay.width) / 2)),
      width: overlay.width,
      flexDirection: "column",
      borderStyle: "double",
      backgroundColor: "black",
    },
    titleElement(overlay.title),
    overlay.lines.map(lineElement),
  );
}
