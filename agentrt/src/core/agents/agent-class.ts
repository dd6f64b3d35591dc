import type { JsonMembers, JsonObject } from "../values/index.ts";
import type { messagesOf } from "../messages/index.ts";
import type { AgentOptions } from "./agent-options.ts";

/** An agent, whatever it says about its state, its messages and its configuration. */
export interface AnyAgent {
  readonly [messagesOf]: unknown;
  readonly name: string;
  readonly state: object;
  readonly config: object;
  handle(message: never): unknown;
}

/** A class of agents, as `AgentClass`, for any state, messages and configuration. */
export type AnyAgentClass = new (name: string, options?: AgentOptions) => AnyAgent;

/** The configuration that a class of agents takes. */
export type ConfigOf<Class> = Class extends new (...parameters: never) => {
  readonly config: infer Config extends object;
}
  ? Config
  : JsonObject;

/** Adds nothing to a class of agents, unless what its `handle` gives is not JSON. */
export type CheckedClass<Class> = Class extends new (...parameters: never) => {
  handle(message: never): infer Result;
}
  ? false extends IsAnswer<Awaited<Result>>
    ? "handle gives a reply or a chunk that is not JSON"
    : unknown
  : unknown;

type IsAnswer<Result> = unknown extends Result
  ? true
  : Result extends undefined | null | void
    ? true
    : Result extends AsyncIterable<infer Chunk>
      ? IsJson<Chunk>
      : Result extends Iterator<infer Chunk, unknown>
        ? IsJson<Awaited<Chunk>>
        : IsJson<Result>;

type IsJson<Value> = Value extends unknown
  ? [Value] extends [JsonMembers<Value>]
    ? true
    : false
  : never;
