/** What the API's description says of agents whose classes declare schemas. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { Runtime } from "../../composition/index.ts";
import { Agent, child, type JsonObject, supervisor } from "../../core/index.ts";
import { httpGateway, type HttpGatewayNodeOptions } from "../../node-specs/index.ts";

class Orders extends Agent {
  static override schemas = {
    payload: z.object({ id: z.string(), count: z.coerce.number().int().default(1) }),
    reply: z.object({ total: z.number() }),
    chunk: z.object({ item: z.string() }),
  };
  override async handle(): Promise<JsonObject> {
    return { total: 1 };
  }
}

class Account extends Agent {
  static override schemas = {
    deposit: {
      payload: z.object({ amount: z.number() }),
      reply: z.object({ balance: z.number() }),
    },
    note: z.object({ text: z.string() }),
  };
  override async handle(): Promise<JsonObject> {
    return { balance: 1 };
  }
}

const node = z.object({
  name: z.string(),
  get children() {
    return z.array(node);
  },
});

class Trees extends Agent {
  static override schemas = { payload: node, reply: z.object({ when: z.date() }) };
  override async handle(): Promise<JsonObject> {
    return {};
  }
}

type Operation = {
  parameters: { name: string; in: string; required: boolean; schema: JsonObject }[];
  requestBody?: { content: { "application/json": { schema: JsonObject } } };
  responses: { [status: string]: { content: { [type: string]: { schema: JsonObject } } } };
};

interface Description {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonObject } };
}

async function describe(routes: HttpGatewayNodeOptions["routes"]): Promise<Description> {
  let url = "";
  await using runtime = new Runtime({
    onListening: (address) => (url = address.url),
    supervision: supervisor("root", {
      children: [
        child(Orders, "orders"),
        child(Account, "account"),
        child(Trees, "trees"),
        httpGateway("gateway", { host: "127.0.0.1", port: 0, ...(routes && { routes }) }),
      ],
    }),
  });
  await runtime.start();
  return (await (await fetch(`${url}/openapi.json`)).json()) as Description;
}

const json = "application/json";
const bodyOf = (operation: Operation | undefined): JsonObject | undefined =>
  operation?.requestBody?.content[json].schema;
const replyOf = (operation: Operation | undefined): JsonObject | undefined =>
  operation?.responses["200"]?.content[json]?.schema;

test("the API's description shows request and reply of an agent with schemas: body, path, query, chunks", async () => {
  const { paths } = await describe([
    { method: "PUT", path: "/orders/{id}", agent: "orders" },
    { method: "GET", path: "/orders/{id}", agent: "orders", mode: "stream" },
    { method: "POST", path: "/own", agent: "orders", request: { type: "object", title: "own" } },
  ]);
  const { put, get } = paths["/orders/{id}"] ?? {};
  assert.deepEqual(bodyOf(put), {
    type: "object",
    properties: {
      count: { default: 1, type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
    },
    required: [],
  });
  assert.deepEqual(replyOf(put), {
    type: "object",
    properties: { total: { type: "number" } },
    required: ["total"],
    additionalProperties: false,
  });
  assert.equal(get?.requestBody, undefined);
  assert.deepEqual(
    get?.parameters.map((parameter) => [parameter.name, parameter.in, parameter.required]),
    [
      ["id", "path", true],
      ["count", "query", false],
      ["X-Agentrt-Type", "header", false],
    ],
  );
  const chunk = get?.responses["200"]?.content["text/event-stream"]?.schema;
  assert.deepEqual(chunk?.["properties"], { item: { type: "string" } });
  assert.deepEqual(bodyOf(paths["/own"]?.["post"]), { type: "object", title: "own" });
});

test("an agent with a schema for each message type is described by all of them, and a recursive schema by its name", async () => {
  const { paths, components } = await describe([
    { method: "POST", path: "/account", agent: "account" },
    { method: "POST", path: "/trees", agent: "trees" },
  ]);
  const account = paths["/account"]?.["post"];
  const payloads = bodyOf(account)?.["anyOf"] as JsonObject[];
  assert.deepEqual(
    payloads.map(({ required }) => required),
    [["amount"], ["text"]],
  );
  const header = account?.parameters.find(({ name }) => name === "X-Agentrt-Type");
  assert.deepEqual(header?.schema["examples"], ["deposit", "note"]);
  assert.deepEqual(replyOf(account), { type: "object", additionalProperties: true });

  const place = "#/components/schemas/trees.http.request.payload";
  assert.deepEqual(bodyOf(paths["/trees"]?.["post"]), { $ref: place });
  const { properties } = components.schemas["trees.http.request.payload"] ?? {};
  assert.deepEqual((properties as JsonObject)["children"], {
    type: "array",
    items: { $ref: place },
  });
  // A date has no JSON Schema.
  assert.deepEqual(replyOf(paths["/trees"]?.["post"]), {
    type: "object",
    additionalProperties: true,
  });
});

test("the default routes of an agent with schemas are described by its name, before those of all agents", async () => {
  const { paths } = await describe(undefined);
  assert.deepEqual(bodyOf(paths["/agents/orders"]?.["post"])?.["required"], ["id"]);
  assert.deepEqual(bodyOf(paths["/agents/orders/cast"]?.["post"])?.["required"], ["id"]);
  assert.deepEqual(bodyOf(paths["/agents/{name}"]?.["post"]), {
    type: "object",
    additionalProperties: true,
  });
});
