/**
 * Fifty agents that checkpoint without end, for `state-kill`: `node checkpointing-tree.ts <sqlite:path | postgresql://…>
 * <normal | strict> <file>`. Writes to the file `S <agent> <count>` at each start, `T <agent> <count>` before each checkpoint and `A <agent> <count>` after it was acknowledged.
 */
import { openSync, writeSync } from "node:fs";
import process from "node:process";
import { Agent, child, createTextLog, Runtime, supervisor } from "agentrt";
import { PostgresStateStore, SqliteStateStore } from "agentrt/state";

const [address = "", durability, path = ""] = process.argv.slice(2);
const file = openSync(path, "a");

/** What is written here is there after a kill: it is the system's, not this process's. */
function tell(line: string): void {
  writeSync(file, line);
}

class Counter extends Agent {
  override async onStart(): Promise<void> {
    // What came back from the store is the first thing that is told.
    tell(`S ${this.name} ${Number(this.state["count"] ?? 0)}\n`);
    await this.cast(this.name, {});
  }

  override async handle(): Promise<undefined> {
    const count = Number(this.state["count"] ?? 0) + 1;
    this.state["count"] = count;
    this.state["filler"] = String(count).repeat(50);
    tell(`T ${this.name} ${count}\n`);
    try {
      await this.checkpoint();
      tell(`A ${this.name} ${count}\n`);
    } catch {
      // The server is down: the next message tries with the next number.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await this.cast(this.name, {});
  }
}

const state = address.startsWith("sqlite:")
  ? new SqliteStateStore({
      path: address.slice("sqlite:".length),
      durability: durability === "strict" ? "strict" : "normal",
    })
  : new PostgresStateStore({ url: address });
const names = Array.from({ length: 50 }, (_, index) => `agent-${index}`);
const runtime = new Runtime({
  supervision: supervisor("root", { children: names.map((name) => child(Counter, name)) }),
  state,
  log: createTextLog({ level: "error", write: (line) => void process.stderr.write(line) }),
});
await runtime.start();
process.stdout.write("started\n");
