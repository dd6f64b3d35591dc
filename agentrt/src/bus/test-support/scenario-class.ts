import type { ScenarioHandler } from "testkit";
import {
  Agent,
  type AgentClass,
  type JsonObject,
  type Message,
  type OutgoingPayload,
} from "../../core/index.ts";

/** Makes a class of a handler, so that a restart builds a new object of it. */
export function agentClassOf(handler: ScenarioHandler): AgentClass {
  return class extends Agent {
    override async handle(message: Message): Promise<JsonObject | undefined> {
      const context = {
        call: (to: string, payload: OutgoingPayload) => this.call(to, payload),
        cast: (to: string, payload: OutgoingPayload) => this.cast(to, payload),
      };
      return (await handler(message, context)) as JsonObject | undefined;
    }
  };
}
