import type { AgentActivity } from "../../core/index.ts";

/** Of an agent in another process, which does not answer or is not asked. */
export const nothingKnown: AgentActivity = {
  className: null,
  atHand: [],
  mailboxDepth: 0,
  oldestMs: null,
  awaitsStore: false,
  awaits: null,
};
