import type { Tones } from "../../terminal/index.ts";

/** What the parts of the dashboard are drawn with. */
export interface Looks {
  readonly tones: Tones;
  /** Cells inside of a pane. */
  readonly width: number;
}

/** @returns The colour of a status: green running, yellow starting or stopping, red crashed, grey suspended or stopped. */
export function statusTone(status: string, tones: Tones): (text: string) => string {
  if (status === "RUNNING") return tones.green;
  if (status === "CRASHED") return tones.red;
  if (status === "SUSPENDED" || status === "STOPPED") return tones.grey;
  return tones.yellow;
}

/** A sign for each status, so that colours say nothing that is said by them only. */
export function statusSign(status: string): string {
  if (status === "RUNNING") return "●";
  if (status === "CRASHED") return "✗";
  if (status === "SUSPENDED") return "‖";
  if (status === "STOPPED") return "○";
  return status === "" ? "▪" : "◐";
}
