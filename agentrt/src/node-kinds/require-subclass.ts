import type { Agent, AgentClass } from "../core/index.ts";
import { compositionErrors } from "./errors.ts";

/** `Agent`, or a class of this package that derives from it. */
export type AgentBase = abstract new (...parameters: never[]) => Agent;

/**
 * Checks what a user's module exports as the class of a node.
 *
 * @param base What it must extend.
 * @param loaded What was loaded.
 * @param place The node, the path of the class, and where the file names it.
 * @returns The class.
 * @throws AGENTRT_COMPOSITION_NOT_AN_AGENT when it does not extend `base`.
 */
export function requireSubclass(
  base: AgentBase,
  loaded: unknown,
  place: { readonly node: string; readonly type: string; readonly at: string },
): AgentClass {
  if (isSubclass(base, loaded)) return loaded;
  throw new compositionErrors.NOT_AN_AGENT({ ...place, wanted: base.name });
}

function isSubclass(base: AgentBase, loaded: unknown): loaded is AgentClass {
  return typeof loaded === "function" && loaded.prototype instanceof base;
}
