/**
 * Agents that watch others: they get events, and correct or halt who goes astray.
 *
 * It must not know how agents are run.
 */
export { EvalAgent } from "./eval-agent.ts";
export type { EvalAgentOptions } from "./eval-agent.ts";
