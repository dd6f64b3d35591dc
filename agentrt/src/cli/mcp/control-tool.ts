import type { JsonObject, JsonValue } from "../../core/index.ts";

/** One argument of a tool, as JSON Schema. */
export type ArgumentSchema = {
  readonly type: "string" | "integer" | "number" | "object";
  readonly description: string;
  /** The only words allowed. */
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
};

/** What a tool asks of a running topology. */
export interface ControlPort {
  /**
   * Asks a route of the control plane.
   *
   * @param route With its query.
   * @returns The body.
   * @throws ToolFault.
   */
  get(route: string): Promise<JsonValue>;
  /** Posts to one. Returns and throws as `get` does. */
  post(route: string, body: JsonObject): Promise<JsonValue>;
  /** Reads a stream of events for a time, at most `countMax` of them. Throws as `get` does. */
  events(
    route: string,
    bounds: { readonly waitMs: number; readonly countMax: number },
  ): Promise<JsonObject[]>;
  /** Asks an agent through its gateway, as `agentrt call` does. */
  call(agent: string, payload: JsonObject): Promise<JsonValue>;
}

/** A tool: one row of the table. */
export interface ControlTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `write` for what changes something: offered only where writes are allowed. */
  readonly kind: "read" | "write";
  /** Of a write: it interrupts work, or nobody knows what it does. Default false. */
  readonly isDestructive?: boolean;
  /** Of a write: asked for twice it does what it does once. Default false. */
  readonly isIdempotent?: boolean;
  readonly input: { readonly [name: string]: ArgumentSchema };
  readonly required?: readonly string[];
  /** Members of what it answers with, as JSON Schema. */
  readonly output: { readonly [name: string]: JsonObject };
  /**
   * Does it.
   *
   * @param input Checked against `input`.
   * @param port The topology that runs.
   */
  readonly run: (input: JsonObject, port: ControlPort) => Promise<JsonObject>;
}

/** What a tool says in place of an answer: one line for a model. */
export class ToolFault extends Error {}

/**
 * Reads an argument that is a text.
 *
 * @param input Checked against the tool's `input`.
 * @param name Of the argument.
 * @returns Empty where it was not given.
 */
export function textIn(input: JsonObject, name: string): string {
  const value = input[name];
  return typeof value === "string" ? value : "";
}
