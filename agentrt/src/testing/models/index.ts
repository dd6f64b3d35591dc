/**
 * What simulated agents ask in place of real models and tools: by a script, by chance from the seed, or as recorded.
 *
 *     script | seed | recording → ModelProvider, ToolSource → disturbed by the faults of the run
 *
 * It must not know any vendor, and nothing in it reaches the real world.
 */
export { disturbModels, disturbTools } from "./disturbed.ts";
export { recordModels, recordTools } from "./record.ts";
export { readRecording, type Recording } from "./recording.ts";
export { replayModels, replayTools } from "./replay.ts";
export {
  type ModelScript,
  scriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
} from "./scripted-model.ts";
export { scriptedTools, type ScriptedTool, type ToolScript } from "./scripted-tools.ts";
export { type ModelWatch, watchModels } from "./watched-models.ts";
export { seededModel } from "./seeded-model.ts";
export {
  type MakeModels,
  type MakeTools,
  madeModels,
  madeTools,
  type SimulatedWorld,
} from "./simulated-world.ts";
