/**
 * What `agentrt run` is made of besides the runtime: how it logs, which signals stop it, what it says while it starts
 * and stops, and how its process ends.
 *
 * The folder must not know how a tree is built or stopped.
 */
export { isDebugged, launcherPidOf, LoopWatch } from "./loop-watch.ts";
export { joinOf } from "./join.ts";
export { Lead } from "./lead.ts";
export { leaveProcess, tellLeftBehind } from "./leave-process.ts";
export { type LogSettings, logFormats, openLog, readLogSettings } from "./run-log.ts";
export { giveUpOf, type RunEnd } from "./give-up.ts";
export { RunLines } from "./run-lines.ts";
export { StartWatch } from "./start-watch.ts";
export { type StopSignalWait, waitForStopSignal } from "./stop-signals.ts";
export { readSpawnCounts, type SpawnedName } from "./spawn-counts.ts";
export { endOfOwner, SpawnedWorkers } from "./spawned-workers.ts";
export { type WatchedRun, watchTree } from "./watch-run.ts";
export { endingOnStrayFaults, whileLoading } from "./while-loading.ts";
export { openRecording } from "./open-recording.ts";
