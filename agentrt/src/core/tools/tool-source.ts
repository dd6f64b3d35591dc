import type { JsonObject, JsonValue } from "../values/index.ts";
import type { Log } from "../ports/index.ts";
import type { SpanAttributes } from "../messages/index.ts";

/** A tool of a source. */
export interface SourceTool {
  /** As the source calls it. */
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments: an object. */
  readonly inputSchema: JsonObject;
}

/** What a tool answered. */
export interface ToolResult {
  /** The text when the answer is only text, else its parts. */
  readonly content: string | readonly JsonValue[];
  /** The answer as data, when the tool gives it so. */
  readonly structured?: JsonObject | undefined;
}

/** What a tool answered, and whether that tells of a failure. */
export interface SourceResult extends ToolResult {
  readonly isError: boolean;
}

/** What a source may use while it is open. */
export interface ToolHost {
  readonly log: Log;
}

/** Where tools come from: a tool server, or a program's own list. */
export interface ToolSource {
  /** Unique in the runtime; is in the names of its tools. */
  readonly name: string;
  /** What is before the name in the full name of a tool, for example `mcp`: `mcp://files/read`. */
  readonly scheme: string;
  /** Name and attributes of the span of a call; default `agentrt.tool.invoke` without attributes. */
  readonly span?: { readonly name: string; readonly attributes: SpanAttributes } | undefined;
  /** Runs before the tree starts; what it throws is logged, and its tools are missing until they are there. */
  open?(host: ToolHost): void | PromiseLike<void>;
  /** The tools it offers now. */
  tools(): readonly SourceTool[];
  /**
   * Uses a tool.
   *
   * @param tool Name of the tool.
   * @param input The arguments.
   * @param options.signal Aborted when nobody waits for the answer any longer.
   * @param options.traceparent Place of the call in its trace, as W3C writes it; undefined where no spans are made.
   * @throws `toolErrors.UNAVAILABLE` when the source cannot be asked.
   */
  call(
    tool: string,
    input: JsonObject,
    options: { readonly signal: AbortSignal; readonly traceparent?: string | undefined },
  ): Promise<SourceResult>;
  /** Runs when the runtime has stopped. */
  close?(): void | PromiseLike<void>;
}
