/** What the thread that watches the event loop is started with. */
export interface LoopWatchData {
  /** Counted up whenever the event loop turns. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  readonly isJson: boolean;
  readonly launcherPid: number | undefined;
}

/** The symbol under which the main thread has the function that logs who blocks it. */
export const reportName = "agentrt.reportBlockedLoop";
