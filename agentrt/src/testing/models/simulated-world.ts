import type { NamedModel, ToolSource } from "../../core/index.ts";

/** What stands in for models and tools may use of its run. */
export interface SimulatedWorld {
  readonly seed: number;
  /** @returns A number in [0, 1) that the seed decides. */
  readonly random: () => number;
  /** Waits in virtual time, in milliseconds. */
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** The models of a simulation: a list, or a function that makes one for each run. */
export type MakeModels = readonly NamedModel[] | ((world: SimulatedWorld) => readonly NamedModel[]);

/** The tools of a simulation: a list, or a function that makes one for each run. */
export type MakeTools = readonly ToolSource[] | ((world: SimulatedWorld) => readonly ToolSource[]);

/** @returns The models of one run. */
export function madeModels(
  models: MakeModels | undefined,
  world: SimulatedWorld,
): readonly NamedModel[] {
  return typeof models === "function" ? models(world) : (models ?? []);
}

/** @returns The tools of one run. */
export function madeTools(
  tools: MakeTools | undefined,
  world: SimulatedWorld,
): readonly ToolSource[] {
  return typeof tools === "function" ? tools(world) : (tools ?? []);
}
