import assert from "node:assert/strict";
import { test } from "node:test";
import { KnownRoutes } from "./known-routes.ts";
import { createRouter } from "./router.ts";

function knownRoutes(): {
  readonly routes: KnownRoutes<string>;
  readonly lookUpCount: () => number;
} {
  let lookUpCount = 0;
  const router = createRouter([
    { method: "GET", path: "/agents/{name}/state", target: "state" },
    { method: "POST", path: "/agents/{name}", target: "call" },
    { method: "GET", path: "/", target: "root" },
  ]);
  const routes = new KnownRoutes((method, segments) => {
    lookUpCount += 1;
    return router(method, segments);
  });
  return { routes, lookUpCount: () => lookUpCount };
}

/** `target name` of a route that was found, else what was told. */
function told(routes: KnownRoutes<string>, method: string, text: string): string {
  const found = routes.find(method, text);
  if ("fault" in found) return found.fault;
  const { match, target } = found;
  if (match.kind !== "found") return match.kind;
  return `${match.target} ${match.pathParams["name"] ?? ""} ${target.path} ${target.query}`;
}

test("KnownRoutes tells the same of a target the second time, without a look-up where it has no query", () => {
  for (const [method, text, expected, isKnown] of [
    ["POST", "/agents/a%20b", "call a b /agents/a%20b ", true],
    ["GET", "/agents/echo/state", "state echo /agents/echo/state ", true],
    ["HEAD", "/agents/echo/state", "state echo /agents/echo/state ", true],
    ["GET", "/", "root  / ", true],
    ["GET", "http://other/", "root  / ", true],
    ["GET", "/?a=1", "root  / a=1", false],
    ["POST", `/agents/${"n".repeat(200)}`, undefined, false],
    ["GET", "/agents/echo", "wrong_method", false],
    ["GET", "/nowhere", "unknown_path", false],
    ["GET", "/a/../b", "malformed request path", true],
    ["GET", "nonsense", "malformed request target", true],
  ] as const) {
    const { routes, lookUpCount } = knownRoutes();
    const first = told(routes, method, text);
    if (expected !== undefined) assert.equal(first, expected, text);
    const before = lookUpCount();
    assert.equal(told(routes, method, text), first, text);
    assert.equal(lookUpCount() === before, isKnown, text);
  }
});

test("KnownRoutes gives every request parameters of its own", () => {
  const { routes } = knownRoutes();
  for (let round = 0; round < 3; round += 1) {
    const found = routes.find("POST", "/agents/echo");
    assert.ok("match" in found && found.match.kind === "found");
    const params: { [name: string]: string } = found.match.pathParams;
    assert.deepEqual({ ...params }, { name: "echo" });
    assert.equal(Object.getPrototypeOf(Object.getPrototypeOf(params)), null);
    params["name"] = "mallory";
  }
});

test("KnownRoutes goes on finding routes when clients ask for more targets than it remembers", () => {
  const { routes } = knownRoutes();
  for (let index = 0; index < 3000; index += 1)
    assert.equal(told(routes, "POST", `/agents/a${index}`), `call a${index} /agents/a${index} `);
  assert.equal(told(routes, "POST", "/agents/a0"), "call a0 /agents/a0 ");
});
