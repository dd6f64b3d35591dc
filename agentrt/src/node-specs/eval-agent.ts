import {
  type AgentClass,
  type AgentSpec,
  checkAgent,
  checkOptions,
  childOptionNames,
  describeAgent,
  type ChildOptions,
  EvalAgent,
  type OptionNames,
  type EvalAgentOptions,
} from "../core/index.ts";

/** What `evalAgent` takes. */
export interface EvalAgentNodeOptions extends ChildOptions, EvalAgentOptions {
  /** A class derived from `EvalAgent`; default `EvalAgent` itself, which corrects nothing. */
  readonly agentClass?: AgentClass | undefined;
}

/**
 * Describes an eval agent of a tree.
 *
 * @param name Unique in the tree; agents report to `eval_agent`, else to the only one, unless they name another one.
 * @param options Its class, how often it may correct, and what every agent takes.
 * @returns The description, for `supervisor({ children })`.
 * @throws AGENTRT_AGENT_OPTION_INVALID when a limit is out of its range.
 */
export function evalAgent(name: string, options: EvalAgentNodeOptions = {}): AgentSpec {
  checkOptions(`eval agent "${name}"`, options, evalAgentOptionNames);
  const { agentClass = EvalAgent, ...rest } = options;
  checkAgent(agentClass, name);
  return describeAgent(agentClass, name, rest);
}

const evalAgentOptionNames: OptionNames<EvalAgentNodeOptions> = {
  ...childOptionNames,
  correctionCountMax: true,
  correctionWindowMs: true,
  agentClass: true,
};
