/** Agents whose class declares schemas: what their senders get, and what comes to them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  Agent,
  type AgentSchemas,
  type AnyAgentClass,
  busErrors,
  child,
  dynamicSupervisor,
  GenServer,
  type JsonObject,
  keyed,
  type Message,
  type MessageOf,
  type MessagesFrom,
  pool,
  supervisor,
} from "../core/index.ts";
import { Runtime } from "../runtime/index.ts";

const line = z.object({
  item: z.string().min(1),
  count: z.coerce.number().int().default(1),
  tags: z.array(z.string()).optional(),
});
const single = { payload: line, reply: z.object({ total: z.number() }) };

class Cart extends Agent<{ total: number }, MessagesFrom<typeof single>> {
  static override schemas = single;
  override state = { total: 0 };

  override async handle(message: MessageOf<MessagesFrom<typeof single>>) {
    this.state.total += message.payload.count;
    return { total: this.state.total };
  }
}

const several = { add: line, total: { reply: z.object({ total: z.number() }) } };

class Till extends GenServer<{ total: number }, MessagesFrom<typeof several>> {
  static override schemas = several;
  override state = { total: 0 };

  override handleCall() {
    return { total: this.state.total };
  }

  override handleCast(message: MessageOf<Pick<MessagesFrom<typeof several>, "add">>) {
    this.state.total += message.payload.count;
  }
}

class Buyer extends Agent {
  override async handle(message: Message): Promise<JsonObject> {
    try {
      return await this.call("cart", message.payload);
    } catch (error) {
      assert.ok(error instanceof busErrors.PAYLOAD_INVALID);
      return { caught: error.code, where: error.details.issues[0]?.path ?? "" };
    }
  }
}

async function start(...children: Parameters<typeof supervisor>[1]["children"] & object[]) {
  const runtime = new Runtime({ supervision: supervisor("root", { children }) });
  await runtime.start();
  return runtime;
}

const refused = { code: "AGENTRT_BUS_PAYLOAD_INVALID" };

test("a payload comes as the schema makes it: defaults filled in, text turned into numbers, unknown members left out", async () => {
  class Seen extends Agent {
    static override schemas = single;
    override async handle(message: Message): Promise<JsonObject> {
      return message.payload;
    }
  }
  await using runtime = await start(child(Seen, "cart"));
  assert.deepEqual(await runtime.call("cart", { item: "tea" }), { item: "tea", count: 1 });
  const given = { item: "tea", count: "3", color: "green" };
  assert.deepEqual(await runtime.call("cart", given), { item: "tea", count: 3 });
  assert.deepEqual(given, { item: "tea", count: "3", color: "green" });
});

test("what a schema refuses, its sender gets with the place of each fault, and the agent goes on", async () => {
  await using runtime = await start(child(Cart, "cart"), child(Buyer, "buyer"));
  const wrong = runtime.call("cart", { item: "", tags: ["a", 2] });
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof busErrors.PAYLOAD_INVALID);
    assert.equal(
      error.message,
      `Cannot send message to "cart": payload.item: Too small: expected string to have >=1 characters; payload.tags[1]: Invalid input: expected string, received number`,
    );
    const { address, type, issueCount } = error.details;
    assert.deepEqual(
      { address, type, issueCount },
      { address: "cart", type: "message", issueCount: 2 },
    );
    return true;
  });
  await assert.rejects(runtime.cast("cart", { count: 1 }), refused);
  await assert.rejects(runtime.stream("cart", { item: 1 }).next(), refused);
  assert.deepEqual(await runtime.call("buyer", { item: 7 }), {
    caught: "AGENTRT_BUS_PAYLOAD_INVALID",
    where: "payload.item",
  });
  assert.deepEqual(await runtime.call("buyer", { item: "tea", count: 2 }), { total: 2 });
  const { children } = runtime.tree();
  assert.deepEqual(
    children.map((node) => (node.kind === "agent" ? node.restartCount : undefined)),
    [0, 0],
  );
});

test("a schema counts for its message type; other types are as they were", async () => {
  await using runtime = await start(child(Till, "till"));
  await runtime.cast("till", { item: "tea", count: 4 }, { type: "add" });
  await assert.rejects(runtime.cast("till", { count: 4 }, { type: "add" }), refused);
  assert.deepEqual(await runtime.call("till", { any: "thing" }, { type: "total" }), { total: 4 });
  assert.deepEqual(await runtime.call("till", {}, { type: "undeclared" }), { total: 4 });
});

test("a question about the state, and what an agent sends itself, are not held to a schema", async () => {
  let isTold = (): void => undefined;
  const told = new Promise<void>((resolve) => (isTold = resolve));
  class Timed extends Agent {
    static override schemas = single;
    override onStart(): void {
      this.sendAfter(0, { alarm: true });
    }
    override async handle(message: Message): Promise<JsonObject | undefined> {
      if (message.payload["alarm"] === true) isTold();
      return undefined;
    }
  }
  await using runtime = await start(child(Timed, "timed"), child(Cart, "cart"));
  await told;
  assert.deepEqual(await runtime.call("timed", { __op__: "state" }, { type: "state" }), {});
});

test("keyed agents, pools and spawned children have the schemas of their class, and a broadcast tells who refused", async () => {
  await using runtime = await start(
    keyed(Cart, "keyed"),
    pool(Cart, "pooled", { size: 2 }),
    dynamicSupervisor("workers"),
    child(Buyer, "plain"),
  );
  await runtime.spawn(Cart, "spawned");
  for (const name of ["keyed/1", "pooled", "spawned"]) {
    await assert.rejects(runtime.call(name, { item: 1 }), refused, name);
    assert.deepEqual(await runtime.call(name, { item: "tea" }), { total: 1 }, name);
  }
  class Caller extends Agent {
    override async handle(): Promise<JsonObject> {
      const { receiverCount, failures } = await this.broadcast("spaw*", { item: 1 });
      return { receiverCount, failed: failures.map(({ name }) => name) };
    }
  }
  await runtime.spawn(Caller, "caller");
  const report = await runtime.call("caller", {});
  assert.deepEqual(report, { receiverCount: 0, failed: ["spawned"] });
});

test("a schema that answers later or throws is an error of its own", async () => {
  const of = (schemas: AgentSchemas): AnyAgentClass =>
    class extends Cart {
      static override schemas = schemas as typeof single;
    };
  const later = z.object({}).refine(() => Promise.resolve(true));
  const validate = (): never => {
    throw new Error("out of order");
  };
  const throwing = { "~standard": { version: 1, vendor: "test", validate } } as const;
  await using runtime = await start(
    child(of({ payload: later }), "later"),
    child(of({ payload: throwing }), "throwing"),
  );
  await assert.rejects(runtime.call("later", {}), {
    code: "AGENTRT_AGENT_SCHEMA_FAILED",
    message: `Cannot check a message of type "message" for "later": its schema failed: it gives no answer at once: it is asynchronous, or its code threw`,
  });
  await assert.rejects(runtime.call("throwing", {}), {
    code: "AGENTRT_AGENT_SCHEMA_FAILED",
    message: /out of order/,
  });
});

test("a class whose schemas are none is refused when it is put into a tree", () => {
  const refuse = (schemas: object, message: RegExp): void => {
    class Wrong extends Agent {
      static override schemas = schemas as AgentSchemas;
      override handle(): undefined {
        return undefined;
      }
    }
    assert.throws(() => child(Wrong, "wrong"), { code: "AGENTRT_AGENT_OPTION_INVALID", message });
  };
  refuse({ payload: { type: "object" } }, /schemas\.payload is not a Standard Schema/);
  refuse({ add: "text" }, /schemas\.add is text/);
  refuse({ add: { playload: line } }, /schemas\.add\.playload is not a part of a message/);
});

test("of a payload with very many faults, twenty are told", async () => {
  await using runtime = await start(child(Cart, "cart"));
  const tags = Array.from({ length: 1000 }, () => 1);
  await assert.rejects(runtime.call("cart", { item: "tea", tags }), (error) => {
    assert.ok(error instanceof busErrors.PAYLOAD_INVALID);
    assert.equal(error.details.issues.length, 20);
    assert.match(error.message, /; and 997 more$/);
    return true;
  });
});
