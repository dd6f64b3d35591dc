/** The promises of messages over NATS: each agent of a scenario is in a runtime of its own, and all meet at a real server. */
import { after, test } from "node:test";
import {
  type ScenarioHandler,
  type StartScenario,
  skipUnless,
  startNats,
  testTransport,
} from "testkit";
import { child, createTextLog, supervisor, TimerWheel } from "../../core/index.ts";
import { agentClassOf } from "../../bus/test-support/scenario-class.ts";
import { Runtime } from "../../runtime/index.ts";
import { serializerNamed } from "../../wire/index.ts";
import { Exchange, NatsLink, RemoteAddress, unknownFacts } from "../index.ts";

const skip = skipUnless("nats-server");
const server = skip === false ? await startNats() : undefined;
after(async () => await server?.[Symbol.asyncDispose]());

/** One runtime, its own agent, and the names of all others as addresses of other processes. */
async function startProcess(name: string, handler: ScenarioHandler, others: readonly string[]) {
  const runtime = new Runtime({
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [child(agentClassOf(handler), name)],
    }),
    log: createTextLog({ write: () => undefined }),
  });
  const { system, registry } = runtime;
  const wheel = new TimerWheel(system);
  const exchange = new Exchange({
    link: new NatsLink({ servers: [server?.url ?? ""], name, onEvent: () => undefined }),
    serializer: serializerNamed("msgpack"),
    system,
    wheel,
    registry,
    processId: name,
    onRefused: (error) => {
      throw error;
    },
    drop: () => undefined,
  });
  for (const other of others)
    registry.register({
      name: other,
      kind: "agent",
      capabilities: [],
      capabilityMetadata: {},
      address: new RemoteAddress(unknownFacts(), (message) =>
        exchange.send(message, { topic: other, process: other }),
      ),
    });
  await runtime.start();
  await exchange.start();
  await exchange.host(name);
  return {
    runtime,
    stop: async (): Promise<void> => {
      await exchange.stop();
      await runtime.stop();
      wheel.close();
    },
  };
}

const start: StartScenario = async (agents) => {
  const names = Object.keys(agents);
  const processes = await Promise.all(
    Object.entries({ ...agents, "outside caller": () => ({}) }).map(([name, handler]) =>
      startProcess(
        name.replaceAll(" ", "_"),
        handler,
        names.filter((other) => other !== name),
      ),
    ),
  );
  const caller = processes.at(-1)?.runtime as Runtime;
  return {
    call: (to, payload) => caller.call(to, payload),
    cast: (to, payload) => caller.cast(to, payload),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(processes.map(async ({ stop }) => await stop()));
    },
  };
};

if (skip === false) testTransport("nats", start);
else test("nats: the scenarios of transports", { skip }, () => undefined);
