import { type StartScenario, testTransport } from "testkit";
import { child, createTextLog, supervisor } from "../core/index.ts";
import { agentClassOf } from "./test-support/scenario-class.ts";
import { Runtime } from "../runtime/index.ts";
import { InProcessTransport } from "./in-process-transport.ts";

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
