import type { Tones } from "../../terminal/index.ts";
import type { Picture } from "./picture.ts";
import type { Since } from "./since.ts";
import type { TraceRow } from "./waterfall.ts";

/** A trace that is looked at. */
export interface OpenTrace {
  readonly id: string;
  readonly rows: readonly TraceRow[];
  /** The chosen row. */
  index: number;
}

/** What a frame of the viewer is made of. */
export interface ViewState {
  readonly tones: Tones;
  readonly since: Since;
  /** Undefined until it is read. */
  readonly picture: Picture | undefined;
  /** The chosen line of the feed. */
  readonly index: number;
  /** The first line of the feed, or of the trace, that is seen: a frame moves it, so that what is chosen is seen. */
  scroll: number;
  readonly trace: OpenTrace | undefined;
  readonly isHelp: boolean;
}
