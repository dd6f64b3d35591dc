/**
 * What agents are written with: `Agent`, `GenServer`, their options, and `AgentPort`, through which an agent reaches
 * its tree.
 *
 * It must not know how an agent is run, nor supervisors.
 */
export { evaluates } from "./evaluates.ts";
export { infrastructure } from "./infrastructure.ts";
export type { AgentOptions } from "./agent-options.ts";
export type {
  AgentPort,
  AgentSpan,
  DetachOptions,
  SendAfterOptions,
  SendTimer,
} from "./agent-port.ts";
export { Agent, agentInternals } from "./agent.ts";
export type { AgentClass, ErrorAction } from "./agent.ts";
export type { AnyAgent, AnyAgentClass, CheckedClass, ConfigOf } from "./agent-class.ts";
export type { AgentName, AgentNames, MessagesAt } from "./agent-names.ts";
export { GenServer } from "./gen-server.ts";
export { defaultReply, isThenable } from "./handle-result.ts";
export type {
  ChildStopReport,
  ChildrenPort,
  EndRequest,
  SpawnOptions,
  SpawnReport,
  SpawnRequest,
  StopChildOptions,
} from "./spawn-options.ts";
