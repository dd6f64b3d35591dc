import { type ScenarioHandler, type StartScenario, testTransport } from "testkit";
import {
  type AgentClass,
  Agent,
  child,
  createTextLog,
  type JsonObject,
  type Message,
  type OutgoingPayload,
  supervisor,
} from "../core/index.ts";
import { Runtime } from "../runtime/index.ts";
import { InProcessTransport } from "./in-process-transport.ts";

/** Makes a class of a handler, so that a restart builds a new object of it. */
function agentClassOf(handler: ScenarioHandler): AgentClass {
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

const start: StartScenario = async (agents) => {
  const children = Object.entries(agents).map(([name, handler]) =>
    child(agentClassOf(handler), name),
  );
  const runtime = new Runtime({
    supervision: supervisor("root", { backoffBaseMs: 0, children }),
    transport: new InProcessTransport(),
    log: createTextLog({ write: () => undefined }),
  });
  await runtime.start();
  return {
    call: (to, payload) => runtime.call(to, payload),
    cast: (to, payload) => runtime.cast(to, payload),
    [Symbol.asyncDispose]: async () => void (await runtime.stop()),
  };
};

testTransport("in_process", start);
