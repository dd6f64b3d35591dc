/** When the event loop was held up. */
export interface LoopBlocksFigures {
  readonly count: number;
  /** When the first and the last of them ended: wall-clock milliseconds since the Unix epoch. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** How long the longest of them was. */
  readonly maxMs: number;
}

/** A process at one moment. */
export interface ProcessPicture {
  readonly pid: number;
  /** Processor time since the picture before, or since its start, over the time between: 100 is one core. */
  readonly cpuPercent: number;
  /** Memory that is resident. */
  readonly rssBytes: number;
  readonly uptimeMs: number;
  /** How late the event loop was over the last minute or more; undefined where nobody measures it. */
  readonly loopDelay?:
    | {
        readonly p50Ms: number;
        readonly p99Ms: number;
        readonly maxMs: number;
        readonly windowMs: number;
        /** When somebody held it up for about a second or more in the last two minutes; undefined for never. */
        readonly blocked?: LoopBlocksFigures | undefined;
        /** When the machine gave the process no processor for so long; undefined for never. */
        readonly starved?: LoopBlocksFigures | undefined;
      }
    | undefined;
  readonly isContainerized: boolean;
  /** What runs the container; null when there is none, or nobody knows. */
  readonly orchestrator: "kubernetes" | "docker" | "containerd" | null;
}
