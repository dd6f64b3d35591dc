/** The trees in which the planted bugs are searched for: agents that do what the bugs need to show. */
import {
  Agent,
  child,
  type DeferredReply,
  type JsonObject,
  keyed,
  type Message,
  pool,
  supervisor,
  type SupervisorSpec,
  type TableError,
} from "../../core/index.ts";

/** Counters that save, call each other and hold little, below supervisors of all strategies. */
function countersOf(seed: number): SupervisorSpec {
  class Counter extends Agent {
    override async handle(): Promise<JsonObject> {
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      await this.checkpoint();
      if (this.name === "last") return { count: this.state["count"] };
      return await this.call("last", {}, { timeoutMs: 3000 });
    }
  }
  return supervisor("root", {
    strategy: (["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const)[seed % 3],
    backoffBaseMs: 100,
    children: [
      child(Counter, "first"),
      child(Counter, "last", { mailboxLengthMax: 3 }),
      supervisor("below", {
        strategy: "REST_FOR_ONE",
        backoffBaseMs: 10,
        children: [
          child(Counter, "left", { handleTimeoutMs: 400 }),
          child(Counter, "right", { handleTimeoutMs: 400 }),
        ],
      }),
    ],
  });
}

/** Tickets in few places that ask a desk, which asks an archive; some answer later, some never. */
function keysOf(): SupervisorSpec {
  class Archive extends Agent {
    readonly #promised: DeferredReply[] = [];

    override handle(message: Message): void {
      this.#promised.push(message.defer());
      if (this.#promised.length < 2) return;
      for (const reply of this.#promised.splice(0)) if (!reply.signal.aborted) reply.send({});
    }
  }
  class Desk extends Agent {
    override async handle(): Promise<JsonObject> {
      return await this.call("archive", {}, { timeoutMs: 60_000 });
    }
  }
  class Ticket extends Agent {
    #count = 0;

    override async handle(): Promise<JsonObject> {
      this.#count += 1;
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      if (this.#count % 3 === 1) await this.call("desk", {}, { timeoutMs: 3000 });
      return { count: this.state["count"] };
    }
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    children: [
      child(Archive, "archive"),
      child(Desk, "desk", { concurrency: 3 }),
      keyed(Ticket, "ticket", { key: "id", idleMs: 1000, residentCountMax: 3, backoffBaseMs: 10 }),
    ],
  });
}

/** Writers that come and go with the work, some of which ask other writers, and a reader that answers all. */
function poolsOf(): SupervisorSpec {
  class Reader extends Agent {
    override handle(): JsonObject {
      return { by: this.name };
    }
  }
  class Writer extends Agent {
    #count = 0;

    override async handle(): Promise<JsonObject> {
      this.#count += 1;
      if (this.#count % 4 === 1) {
        // Refused where all members work for this one, which breaks no invariant.
        await this.call("writer", {}, { timeoutMs: 1000 }).catch((error: TableError) => {
          if (error.code !== "AGENTRT_BUS_CALL_CYCLE") throw error;
        });
      }
      return await this.call("reader", {}, { timeoutMs: 3000 });
    }
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    children: [
      pool(Reader, "reader", { size: 2, backoffBaseMs: 10 }),
      pool(Writer, "writer", {
        memberCountMin: 2,
        memberCountMax: 5,
        scaleAfterMs: 200,
        idleMs: 1000,
        restartCountMax: 8,
        backoffBaseMs: 10,
      }),
    ],
  });
}

/** Clerks, each with many questions at once, who share a budget; one of them has less, and tickets have their own. */
function budgetsOf(): SupervisorSpec {
  class Clerk extends Agent {
    override async handle(): Promise<JsonObject> {
      const messages = [{ role: "user" as const, content: "Hi" }];
      const asked = Array.from({ length: 4 }, () => this.llm.chat({ messages, maxTokens: 8 }));
      const answers = await Promise.allSettled(asked);
      return { answers: answers.filter(({ status }) => status === "fulfilled").length };
    }
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    budget: { tokens: 400 },
    children: [
      child(Clerk, "busy", { concurrency: 20, budget: { tokens: 120 } }),
      child(Clerk, "costly", { concurrency: 5, budget: { usd: 0.001, per: "hour" } }),
      keyed(Clerk, "ticket", { key: "id", idleMs: 1000, budget: { tokens: 40, per: "key" } }),
    ],
  });
}

/** The trees by name; a seed may choose among variants. */
export const plantedTrees = {
  counters: countersOf,
  keys: keysOf,
  pools: poolsOf,
  budgets: budgetsOf,
} satisfies { readonly [name: string]: (seed: number) => SupervisorSpec };

/** The name of a tree. */
export type PlantedTree = keyof typeof plantedTrees;
