import type { Kernel, Log } from "../core/index.ts";
import type { ControlChannel, Exchange } from "../links/index.ts";

/** What the workers of a topology are reached by. */
export interface WorkersInit {
  readonly kernel: Kernel;
  readonly exchange: Exchange;
  readonly channel: ControlChannel;
  readonly log: Log;
  /** Tells topologies apart: a worker of another one is refused. */
  readonly topologyHash: string;
}
