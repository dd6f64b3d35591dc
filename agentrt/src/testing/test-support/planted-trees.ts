/** The trees in which the planted bugs are searched for: agents that do what the bugs need to show. */
import {
  Agent,
  type Approval,
  child,
  type DeferredReply,
  dynamicSupervisor,
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

/** Clerks, tickets and spawned agents who do nothing of weight without an approval of their own. */
function approvalsOf(): SupervisorSpec {
  const schema = { type: "object", properties: { amount: { type: "number" } } };
  class Payer extends Agent {
    override async handle(): Promise<JsonObject> {
      const asked = Number(this.state["asked"] ?? 0) + 1;
      this.state["asked"] = asked;
      const expiresMs = asked % 3 === 0 ? 500 : 60_000;
      const payload = { amount: asked };
      const kind = "pay";
      const id = await this.suspendForApproval(
        asked % 2 === 0 ? { kind, payload, schema, expiresMs } : { kind, payload, expiresMs },
      );
      return { id };
    }
    override onApproval(approval: Approval): void {
      const { amount } = approval.granted();
      this.state["paid"] = Number(this.state["paid"] ?? 0) + Number(amount);
    }
  }
  class Spawner extends Agent {
    override async handle(): Promise<JsonObject> {
      const [name] = ["spawned-1", "spawned-2"].filter((each) => !this.#known.has(each));
      if (name !== undefined) {
        this.#known.add(name);
        await this.spawn(Payer, name).catch(() => this.#known.delete(name));
      }
      for (const each of this.#known)
        await this.call(each, {}, { timeoutMs: 500 }).catch(() => undefined);
      return {};
    }
    readonly #known = new Set<string>();
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    children: [
      child(Payer, "clerk"),
      keyed(Payer, "ticket", { key: "id", idleMs: 1000, residentCountMax: 3, backoffBaseMs: 10 }),
      pool(Payer, "booth", { size: 2, backoffBaseMs: 10 }),
      dynamicSupervisor("spawning"),
      child(Spawner, "spawner"),
    ],
  });
}

/** The trees by name; a seed may choose among variants. */
export const plantedTrees = {
  counters: countersOf,
  keys: keysOf,
  pools: poolsOf,
  budgets: budgetsOf,
  approvals: approvalsOf,
} satisfies { readonly [name: string]: (seed: number) => SupervisorSpec };

/** The name of a tree. */
export type PlantedTree = keyof typeof plantedTrees;
