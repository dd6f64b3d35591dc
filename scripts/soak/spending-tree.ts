/**
 * A thousand agents under one budget that ask a model without end, for `budgets`: `node spending-tree.ts <state file> <URL of
 * the model> <tokens>`. Prints `started`, and `used up` when no agent gets an answer any more.
 */
import process from "node:process";
import { Agent, child, createTextLog, isAgentrtError, Runtime, supervisor } from "agentrt";
import { SqliteStateStore } from "agentrt/state";

const [path = "", url = "", tokens = ""] = process.argv.slice(2);
const agentCount = 1000;
let refusedCount = 0;

class Spender extends Agent {
  override async onStart(): Promise<void> {
    await this.cast(this.name, {});
  }

  override async handle(): Promise<undefined> {
    if (await this.#isUsedUp()) {
      refusedCount += 1;
      if (refusedCount === agentCount) process.stdout.write("used up\n");
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1000));
    await this.cast(this.name, {});
  }

  async #isUsedUp(): Promise<boolean> {
    try {
      await this.llm.chat({ messages: [{ role: "user", content: "How much?" }] });
    } catch (error) {
      if (isAgentrtError(error) && error.code === "AGENTRT_MODEL_BUDGET_EXCEEDED") {
        const { spent, limit } = error.details;
        if (spent >= limit) return true;
        // What is left is held back for calls that run.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    return false;
  }
}

const children = Array.from({ length: agentCount }, (_, index) => child(Spender, `agent-${index}`));
const runtime = new Runtime({
  supervision: supervisor("root", {
    children: [supervisor("desk", { budget: { tokens: Number(tokens) }, children })],
  }),
  state: new SqliteStateStore({ path }),
  models: [
    {
      type: "openai",
      config: { base_url: `${url}/v1`, default_model: "stub", max_tokens: 50, max_retries: 0 },
    },
  ],
  log: createTextLog({ level: "error", write: () => undefined }),
});
await runtime.start();
process.stdout.write("started\n");
process.on("SIGTERM", () => void runtime.stop());
