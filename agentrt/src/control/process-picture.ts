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
        /** When it was blocked for about a second or more in that time; undefined for never. */
        readonly blocked?:
          | { readonly count: number; readonly firstMs: number; readonly lastMs: number }
          | undefined;
      }
    | undefined;
  readonly isContainerized: boolean;
  /** What runs the container; null when there is none, or nobody knows. */
  readonly orchestrator: "kubernetes" | "docker" | "containerd" | null;
}
