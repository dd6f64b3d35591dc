/**
 * Records of crashes: what an agent was doing, written to a file in which no secret is.
 *
 *     CrashTrail of each life (its latest messages, answers and states) ─ crash ─▶ CrashBundle ─▶ CrashFiles
 *
 * What is remembered is bounded for each agent and for all of them; see `limits.ts`. Nothing here must throw into an agent.
 *
 * The folder must not know topologies, the control plane, or how a record is replayed.
 */
export type {
  BundleAnswer,
  BundleCrash,
  BundleMessage,
  BundleState,
  CrashBundle,
} from "./crash-bundle.ts";
export { ErrorParts } from "./error-parts.ts";
export { changedSources } from "./source-lines.ts";
export { CrashFiles, crashFolderName, readCrashFile } from "./crash-files.ts";
export { summaryOf } from "./crash-summary.ts";
export { CrashMask } from "./crash-mask.ts";
export { CrashRecorder, type FindSpans } from "./crash-recorder.ts";
export { crashErrors } from "./errors.ts";
