import type { AgentSpec } from "./agent-spec.ts";

/** How many members a pool has, and when they come and go. */
export interface PoolLimits {
  readonly memberCountMin: number;
  readonly memberCountMax: number;
  /** A message that has waited for so long brings one more member, in milliseconds. */
  readonly scaleAfterMs: number;
  /** A member that has had no message for longer is stopped, in milliseconds. */
  readonly idleMs: number;
}

/** The policy of a pool, defaults filled in. */
export interface PoolPolicy extends PoolLimits {
  /** Process group on whose workers its members are; undefined for the runtime's own process. */
  readonly processName: string | undefined;
  /** Most messages that wait in the mailbox that all members share. */
  readonly mailboxLengthMax: number;
  readonly capabilities: AgentSpec["capabilities"];
  readonly capabilityMetadata: AgentSpec["capabilityMetadata"];
  readonly schemas: AgentSpec["schemas"];
  /** @returns The description of a member; they are numbered from 1. */
  specOf(number: number): AgentSpec;
}
