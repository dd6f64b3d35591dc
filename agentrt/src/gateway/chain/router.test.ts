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

test("router gives {name*} the rest of a path that no other route takes, wherever it is declared", () => {
  const find = routerOf(
    "GET /files/{path*}",
    "GET /files/readme",
    "GET /files/{id}/meta",
    "POST /files/upload",
    "GET /{tenant}/docs/{page*}",
    "GET /{all*}",
  );
  const check = (line: string, expected: string): void => assert.equal(find(line), expected, line);
  check("GET /files/a/b/c.txt", 'GET /files/{path*} {"path":"a/b/c.txt"}');
  check("GET /files/a", 'GET /files/{path*} {"path":"a"}');
  check("GET /files/a/", 'GET /files/{path*} {"path":"a"}');
  check("GET /files/readme", "GET /files/readme {}");
  check("GET /files/7/meta", 'GET /files/{id}/meta {"id":"7"}');
  check("GET /files/upload", 'GET /files/{path*} {"path":"upload"}');
  check("GET /acme/docs/a/b", 'GET /{tenant}/docs/{page*} {"tenant":"acme","page":"a/b"}');
  check("GET /files", 'GET /{all*} {"all":"files"}');
  check("GET /", "unknown");
  check("DELETE /files/a/b", "not GET");
  check("DELETE /files/upload", "not GET,POST");
  check("GET /files/caf%C3%A9/%20x", 'GET /files/{path*} {"path":"café/ x"}');
});

test("router lets nothing into the rest of a path that would be another path for files", () => {
  const find = routerOf("GET /files/{path*}");
  for (const path of ["a//b", "/a", "a/..%2Fb", "..%2f..%2fetc", "a%5Cb", "a\\..\\b", "a%00"])
    assert.equal(find(`GET /files/${path}`), "unknown", path);
  for (const path of ["..", "a/../b", "a/%2e%2E/b", "./a", "a/%2e", "%zz", "%ff"])
    assert.equal(find(`GET /files/${path}`), "malformed", path);
  assert.equal(find("GET /files/.../a..b"), 'GET /files/{path*} {"path":".../a..b"}');
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
  refuse("GET /{path*}/more", /"{path\*}" is not the last segment/);
  refuse("GET /{id}/{id*}", /"id" is there twice/);
  refuse("GET /a{path*}", /mixes text and a placeholder/);
  refuse("GET /{*}", /mixes text and a placeholder/);
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
