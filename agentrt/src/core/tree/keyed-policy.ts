import type { AgentSpec } from "./agent-spec.ts";

/** How keyed agents come and go, defaults filled in. */
export interface KeyedPolicy {
  /** Process group on whose workers its keys are; undefined for the runtime's own process. */
  readonly processName: string | undefined;
  /** Field of the payload that holds the key; undefined when senders always name it. */
  readonly keyField: string | undefined;
  /** How long a key without messages stays, in milliseconds. */
  readonly idleMs: number;
  readonly residentCountMax: number;
  readonly waitingCountMax: number;
  readonly failedCountMax: number;
  readonly coolDownMs: number;
  readonly capabilities: AgentSpec["capabilities"];
  readonly capabilityMetadata: AgentSpec["capabilityMetadata"];
  readonly schemas: AgentSpec["schemas"];
  /** @returns The agent of a key. */
  specOf(key: string): AgentSpec;
}
