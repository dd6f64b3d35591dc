import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createRouter } from "./router.ts";
import { parseQuery, parseTarget, splitPath } from "./target.ts";

function routerOf(...routes: readonly string[]): (line: string) => string {
  const router = createRouter(
    routes.map((route) => {
      const [method = "", path = ""] = route.split(" ");
      return { method, path, target: route };
    }),
  );
  return (line) => {
    const [method = "", path = ""] = line.split(" ");
    const segments = splitPath(path);
    if (segments === undefined) return "malformed";
    const match = router(method, segments);
    if (match.kind === "unknown_path") return "unknown";
    if (match.kind === "wrong_method") return `not ${match.methods.join(",")}`;
    return `${match.target} ${JSON.stringify(match.pathParams)}`;
  };
}

test("router finds the first declared route, whatever is literal and whatever is a placeholder", () => {
  const find = routerOf(
    "GET /orders/{id}",
    "GET /orders/new",
    "POST /orders",
    "get /{kind}/{id}/lines",
    "GET /orders/{order}/lines",
    "GET /",
  );
  const check = (line: string, expected: string): void => assert.equal(find(line), expected, line);
  check("GET /orders/7", 'GET /orders/{id} {"id":"7"}');
  check("GET /orders/new", 'GET /orders/{id} {"id":"new"}');
  check("GET /orders/7/", 'GET /orders/{id} {"id":"7"}');
  check("GET /orders/7/lines", 'get /{kind}/{id}/lines {"kind":"orders","id":"7"}');
  check("GET /", "GET / {}");
  check("POST /orders/", "POST /orders {}");
  check("GET /orders", "not POST");
  check("DELETE /orders/7", "not GET");
  check("GET /orders/", "not POST");
  check("GET //orders/7", "unknown");
  check("GET /orders//lines", "unknown");
  check("GET /Orders/7/x", "unknown");
  check("GET /orders/a%2Fb", 'GET /orders/{id} {"id":"a/b"}');
  check("GET /orders/%252F", 'GET /orders/{id} {"id":"%2F"}');
  check("GET /orders/caf%C3%A9", 'GET /orders/{id} {"id":"café"}');
  check("GET /orders/%zz", "malformed");
  check("GET /orders/%ff", "malformed");
  check("GET /orders/..", "malformed");
  check("GET /orders/%2e%2E/x", "malformed");
  check("GET /orders/...", 'GET /orders/{id} {"id":"..."}');
});

test("router keeps a placeholder named __proto__ as an own member", () => {
  const router = createRouter([{ method: "GET", path: "/{__proto__}/{x}", target: 1 }]);
  const match = router("GET", ["a", "b"]);
  assert.ok(match.kind === "found");
  assert.equal(match.pathParams["constructor"], undefined);
  assert.deepEqual(Object.keys(match.pathParams), ["__proto__", "x"]);
});

test("router refuses malformed routes with the reason", () => {
  const refuse = (route: string, reason: RegExp): void =>
    assert.throws(() => routerOf(route), {
      code: "AGENTRT_GATEWAY_ROUTE_INVALID",
      message: reason,
    });
  refuse("GET orders", /does not begin with "\/"/);
  refuse("GE:T /orders", /is not an HTTP method/);
  refuse("GET /a{id}", /mixes text and a placeholder/);
  refuse("GET /{id}/{id}", /"id" is there twice/);
  refuse("GET /{}", /mixes text and a placeholder/);
  refuse("GET /%zz", /malformed segment/);
});

test("router agrees with a plain scan of the declared routes", () => {
  const segment = fc.constantFrom("a", "b", "{x}", "{y}");
  const pattern = fc.uniqueArray(segment, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
  const method = fc.constantFrom("GET", "POST");
  const path = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(method, pattern), { maxLength: 12 }),
      method,
      path,
      (routes, wanted, segments) => {
        const router = createRouter(
          routes.map(([method, path], target) => ({ method, path, target })),
        );
        const fits = ([, path]: [string, string]): boolean => {
          const parts = splitPath(path) ?? [];
          return (
            parts.length === segments.length &&
            parts.every((part, index) =>
              part.startsWith("{") ? segments[index] !== "" : part === segments[index],
            )
          );
        };
        const expected = routes.findIndex((route) => route[0] === wanted && fits(route));
        const match = router(wanted, segments);
        assert.equal(match.kind === "found" ? match.target : -1, expected);
        assert.equal(match.kind === "unknown_path", !routes.some(fits));
      },
    ),
  );
});

test("parseTarget() takes origin and absolute form apart and refuses the rest", () => {
  const check = (target: string, expected: unknown): void =>
    assert.deepEqual(parseTarget(target), expected, target);
  check("/a?b=c?d", { path: "/a", query: "b=c?d", authority: undefined });
  check("//evil/a", { path: "//evil/a", query: "", authority: undefined });
  check("http://host:1/a?b", { path: "/a", query: "b", authority: "host:1" });
  check("HTTP://host", { path: "/", query: "", authority: "host" });
  check("http://host?b", { path: "/", query: "b", authority: "host" });
  for (const bad of [
    "a",
    "",
    "*",
    "/a#b",
    "/a b",
    "/\u0000",
    "/é",
    "http:///a",
    "http://u@h/",
    "ftp://h/",
  ]) {
    check(bad, undefined);
  }
});

test("parseQuery() keeps the last of a repeated name and has no prototype", () => {
  const query = parseQuery("a=1&a=2&b=x+y%21&__proto__=p&c&%zz=1");
  assert.equal(Object.getPrototypeOf(query), null);
  assert.deepEqual(
    { ...query },
    JSON.parse('{"a":"2","b":"x y!","__proto__":"p","c":"","%zz":"1"}'),
  );
});
