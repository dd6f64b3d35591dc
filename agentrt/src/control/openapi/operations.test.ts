import assert from "node:assert/strict";
import { test } from "node:test";
import { controlRoutes } from "../routes.ts";
import type { RuntimeControl } from "../runtime-view.ts";
import { controlDocument, operations } from "./index.ts";

test("each route of the control plane has a row of its description, and each row its route", () => {
  // No route asks its runtime for anything before a request comes.
  const letters = { keep: () => undefined };
  const control = { observer: { letters } } as unknown as RuntimeControl;
  const served = controlRoutes({ name: "topo", control, boundHost: "0.0.0.0" })
    .map(({ method, path, isUngated = false }) => ({ route: `${method} ${path}`, isUngated }))
    .sort((a, b) => (a.route < b.route ? -1 : 1));
  const described = operations
    .map(({ route, isUngated = false }) => ({ route, isUngated }))
    .sort((a, b) => (a.route < b.route ? -1 : 1));
  assert.deepEqual(described, served);
});

test("the document has the prefix, names each operation once, and refers to schemas that are there", () => {
  const document = controlDocument({ title: "topo", prefix: "/admin" });
  const paths = document["paths"] as { [path: string]: { [method: string]: object } };
  assert.ok(Object.keys(paths).every((path) => path.startsWith("/admin/")));
  const ids = Object.values(paths).flatMap((item) =>
    Object.values(item).map((operation) => (operation as { operationId: string }).operationId),
  );
  assert.equal(new Set(ids).size, operations.length);
  const { schemas } = document["components"] as { schemas: object };
  for (const [, name = ""] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g))
    assert.ok(Object.hasOwn(schemas, name), name);
});
