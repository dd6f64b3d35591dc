import assert from "node:assert/strict";
import { test } from "node:test";
import { Simulation } from "../../testing/simulation.ts";
import { Agent, agentInternals, type ErrorAction, type AgentClass } from "../agents/agent.ts";
import type { Message } from "../messages/index.ts";
import { child } from "../tree/agent-spec.ts";
import type { FaultOwner } from "../tree/index.ts";
import { supervisor } from "../tree/supervisor-spec.ts";
import type { JsonObject } from "../values/index.ts";

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

for (const action of ["skip", "retry"] as const) {
  test(`a message is counted once when its agent crashes right after onError said ${action}`, async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      class Unlucky extends Agent {
        override handle({ attempt }: Message): JsonObject {
          if (attempt === 0) throw new Error("no luck");
          return {};
        }

        override onError(): ErrorAction {
          void this.#crashSoon();
          return action;
        }

        async #crashSoon(): Promise<void> {
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          const port = agentInternals.portOf(this, "crash") as Partial<FaultOwner>;
          port.crash?.(new Error("a rejection that nobody handles"));
        }
      }
      await using simulation = new Simulation({
        supervision: supervisor("root", { children: [child(Unlucky, "agent")] }),
      });
      await simulation.start();
      await simulation.call("agent", {}).catch(() => undefined);
      await simulation.runUntilIdle();
      const { totalMessages, dropped } = simulation.runtime.snapshot();
      const { crashed, skipped } = dropped;
      assert.equal(totalMessages + crashed + skipped, 1, `${turns} turns later`);
    }
  });
}
