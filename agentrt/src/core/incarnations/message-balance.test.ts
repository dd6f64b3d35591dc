import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/simulation.ts";
import { Agent, type ErrorAction, type AgentClass } from "../agents/agent.ts";
import { child } from "../tree/agent-spec.ts";
import { supervisor } from "../tree/supervisor-spec.ts";

/** Asks an agent once, and says how its message was counted. */
async function countsOf(agentClass: AgentClass, code: string) {
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [child(agentClass, "agent")] }),
  });
  await simulation.start();
  await assert.rejects(simulation.call("agent", {}), { code });
  await simulation.stop();
  const { totalMessages, dropped } = simulation.runtime.snapshot();
  const reasons = Object.entries(dropped).filter(([, count]) => count > 0);
  return { handled: totalMessages, dropped: Object.fromEntries(reasons) };
}

class Wrong extends Agent {
  override handle() {
    return 7 as unknown as object;
  }
}

test("a message whose result is no reply is counted as crashed alone, not as handled, too", async () => {
  const expected = { handled: 0, dropped: { crashed: 1 } };
  assert.deepEqual(await countsOf(Wrong, "AGENTRT_AGENT_CRASHED"), expected);
});

test("a message that is retried into a result that is no reply is counted once, too", async () => {
  class WrongAgain extends Wrong {
    override onError(): ErrorAction {
      return "retry";
    }
  }
  const expected = { handled: 0, dropped: { crashed: 1 } };
  assert.deepEqual(await countsOf(WrongAgain, "AGENTRT_AGENT_CRASHED"), expected);
});

test("a call that is answered by a stream is counted once", async () => {
  class Streaming extends Agent {
    override async *handle() {
      yield { line: 1 };
    }
  }
  const expected = { handled: 1, dropped: {} };
  assert.deepEqual(await countsOf(Streaming, "AGENTRT_STREAM_NOT_A_REPLY"), expected);
});

test("a message at which an agent stops for good is counted as stopped", async () => {
  class Stopping extends Agent {
    override handle(): void {
      throw new Error("enough");
    }

    override onError(): ErrorAction {
      return "stop";
    }
  }
  const expected = { handled: 0, dropped: { stopped: 1 } };
  assert.deepEqual(await countsOf(Stopping, "AGENTRT_AGENT_STOPPED"), expected);
});
