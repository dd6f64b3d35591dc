import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeKinds } from "../../node-kinds/index.ts";
import { TableError } from "../../core/values/define-errors.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { parseTopology, type Topology } from "../../topology/index.ts";
import { requestFor } from "./agent-request.ts";

function topologyWith(gateway: string): Topology {
  const text = `supervision:
  name: root
  children:
    - agent: { name: clerk, type: agents.Clerk }
    - agent: { name: a/b, type: agents.Clerk }
${gateway}`;
  const { topology, problems } = parseTopology(text, { fileName: "t", kinds: nodeKinds });
  assert.ok(topology !== undefined, String(problems[0]?.message));
  return topology;
}

function gatewayWith(...routes: readonly string[]): string {
  const lines = routes.map((route) => `          - ${route}\n`).join("");
  return `    - name: gateway
      type: http_gateway
      config:
        port: 81
        routes:
${lines}`;
}

/** `METHOD url body` of the request, or the reason why there is none. */
function shown(topology: Topology, agent: string, payload: JsonObject): string {
  try {
    const { method, url, body } = requestFor(topology, agent, payload);
    return [method, url, body].filter((part) => part !== undefined).join(" ");
  } catch (error) {
    assert.ok(error instanceof TableError && error.code === "AGENTRT_CLI_AGENT_UNREACHABLE");
    return error.message;
  }
}

test("requestFor() takes the first route that the payload can fill, one with a body before one without", () => {
  const topology = topologyWith(
    gatewayWith(
      '{ method: HEAD, path: "/c", agent: clerk }',
      '{ method: GET, path: "/c/{word}", agent: clerk }',
      '{ method: POST, path: "/c", agent: clerk, mode: cast }',
      '{ method: PUT, path: "/c/{id}/{word}", agent: clerk }',
    ),
  );
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ word: "hi there/?", n: 1 }, "GET http://127.0.0.1:81/c/hi%20there%2F%3F?n=1"],
    [{ word: "x", id: 7, n: [1] }, 'PUT http://127.0.0.1:81/c/7/x {"n":[1]}'],
    [{ word: "x", id: null }, "GET http://127.0.0.1:81/c/x?id=null"],
    [{ word: "\uD800" }, "GET http://127.0.0.1:81/c/%EF%BF%BD"],
  ];
  for (const [payload, expected] of rows) assert.equal(shown(topology, "clerk", payload), expected);
  for (const payload of [{}, { word: "" }, { word: ".." }, { word: {} }])
    assert.match(shown(topology, "clerk", payload), /GET \/c\/\{word\} needs "word"/);
});

test("requestFor() takes the default route of a gateway without routes, whatever the agent's name", () => {
  const topology = topologyWith("    - { name: gateway, type: http_gateway, config: {} }\n");
  assert.equal(shown(topology, "a/b", { n: 1 }), 'POST http://127.0.0.1:8080/agents/a%2Fb {"n":1}');
});

test("requestFor() says why an agent cannot be asked", () => {
  const cast = gatewayWith('{ method: POST, path: "/c", agent: clerk, mode: cast }');
  const rows: readonly (readonly [gateway: string, agent: string, RegExp])[] = [
    ["", "clerk", /the topology has no http_gateway$/],
    ["", "clerck", /no agent of that name; did you mean "clerk"\?$/],
    [cast, "clerk", /no gateway has a call route to it$/],
    ["    - { name: g, type: http_gateway, config: { port: 0 } }\n", "clerk", /port: 0.*URL/],
  ];
  for (const [gateway, agent, expected] of rows)
    assert.match(shown(topologyWith(gateway), agent, {}), expected);
});
