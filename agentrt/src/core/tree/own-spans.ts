import { AsyncLocalStorage } from "node:async_hooks";
import type { Message, OpenSpan } from "../messages/index.ts";

/** A span that an agent's own code has begun. */
export interface OwnSpan {
  /** The message at hand; undefined in hooks and timers. */
  readonly message: Message | undefined;
  readonly span: OpenSpan;
}

/** Knows the innermost of the agent's own spans that the running code is in. */
export class OwnSpans extends AsyncLocalStorage<OwnSpan> {}
