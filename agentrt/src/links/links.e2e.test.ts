/** The promises of messages over each link: each agent of a scenario is in a runtime of its own, and all meet at a real broker. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type ScenarioHandler, type StartScenario, testTransport } from "testkit";
import { child, createTextLog, supervisor, TimerWheel } from "../core/index.ts";
import { agentClassOf } from "../bus/test-support/scenario-class.ts";
import { Runtime } from "../runtime/index.ts";
import { serializerNamed } from "../wire/index.ts";
import { Exchange, type Link, RemoteAddress, unknownFacts } from "./index.ts";
import { linkCases, type Meeting } from "./test-support/link-cases.ts";

/** One of the processes of a scenario. */
interface OneProcess {
  readonly name: string;
  readonly handler: ScenarioHandler;
  /** The names of all others. */
  readonly others: readonly string[];
}

/** One runtime, its own agent, and the names of all others as addresses of other processes. */
async function startProcess(link: Link, { name, handler, others }: OneProcess) {
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
    link,
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

function scenariosOver(meeting: Meeting): StartScenario {
  return async (agents) => {
    const names = Object.keys(agents);
    const processes = await Promise.all(
      Object.entries({ ...agents, "outside caller": () => ({}) }).map(([each, handler]) => {
        const name = each.replaceAll(" ", "_");
        const others = names.filter((other) => other !== each);
        return startProcess(meeting.linkOf(name), { name, handler, others });
      }),
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
}

function testAbsent(name: string, meeting: Meeting): void {
  test(`${name}: a call to an agent whose process is not there ends by its time limit; a cast is no error`, async () => {
    const asker = { name: "asker", handler: () => ({}), others: ["nobody"] };
    const { runtime, stop } = await startProcess(meeting.linkOf("asker"), asker);
    await assert.rejects(runtime.call("nobody", {}, { timeoutMs: 50 }), {
      code: "AGENTRT_BUS_TIMEOUT",
      httpStatus: 504,
    });
    await runtime.cast("nobody", {});
    await stop();
  });
}

for (const { name, skip, open } of linkCases)
  if (skip === false) {
    const meeting = await open();
    after(async () => await meeting[Symbol.asyncDispose]());
    testTransport(name, scenariosOver(meeting));
    testAbsent(name, meeting);
  } else test(`${name}: the scenarios of transports`, { skip }, () => undefined);
