import type { NodeFinding } from "../../topology/index.ts";

interface Route {
  readonly method: string;
  readonly path: string;
}

/** What a gateway serves by itself. */
export interface Description {
  readonly isEnabled: boolean | undefined;
  readonly path: string | undefined;
}

const docsPathDefault = "/docs";
const documentPath = "/openapi.json";

/**
 * Notes routes that no request reaches, because an earlier one takes all of theirs: the first that fits is served.
 *
 * @param routes Of a gateway, in order.
 * @param key Where they are in the settings.
 */
export function* checkRoutes(routes: readonly Route[], key: string): Generator<NodeFinding> {
  for (const [index, route] of routes.entries()) {
    const earlier = routes.slice(0, index).find((other) => covers(other, route));
    if (earlier === undefined) continue;
    yield {
      path: [key, index, "path"],
      isNote: true,
      message: `no request reaches this route: "${nameOf(earlier)}" comes first and takes all of them`,
    };
  }
}

/**
 * Notes routes that the description of the API takes.
 *
 * @param routes Of a gateway.
 * @param docs Whether the description is served, and where.
 */
export function* checkDocsRoutes(
  routes: readonly Route[],
  docs: Description,
): Generator<NodeFinding> {
  if (docs.isEnabled === false) return;
  const page = docs.path ?? docsPathDefault;
  const isTaken = routes.some((route) => route.method === "GET" && route.path === page);
  // A page that nobody asked for makes way for a route of its path.
  if (docs.isEnabled === undefined && isTaken) return;
  const taken = [page, `${page.replace(/\/$/, "")}${documentPath}`, documentPath];
  for (const [index, { method, path }] of routes.entries()) {
    if (method !== "GET" || !taken.includes(path)) continue;
    yield {
      path: ["routes", index, "path"],
      isNote: true,
      message: `no request reaches this route: the API's description is served at ${path}; set docs.enabled to false, or another docs.path`,
    };
  }
}

function nameOf({ method, path }: Route): string {
  return method === "" ? path : `${method} ${path}`;
}

/** True when every request of the second is one of the first, which is earlier. */
function covers(first: Route, second: Route): boolean {
  if (first.method !== second.method) return false;
  const [wide, narrow] = [first.path.split("/"), second.path.split("/")];
  // A rest takes only what no other route does, so only another rest can stand in its shadow.
  if (isRest(wide.at(-1)) !== isRest(narrow.at(-1))) return false;
  if (isRest(wide.at(-1))) return coversRest(wide.slice(0, -1), narrow.slice(0, -1));
  return (
    wide.length === narrow.length &&
    wide.every((segment, index) => segment === narrow[index] || isTaking(segment, narrow[index]))
  );
}

function isRest(segment: string | undefined): boolean {
  return /^\{\w+\*\}$/.test(segment ?? "");
}

/** The rest takes whatever the other pattern has left, if what is before it fits. */
function coversRest(wide: readonly string[], narrow: readonly string[]): boolean {
  return (
    wide.length <= narrow.length &&
    wide.every((segment, index) => segment === narrow[index] || isTaking(segment, narrow[index]))
  );
}

/** A placeholder takes any segment except an empty one. */
function isTaking(segment: string, other: string | undefined): boolean {
  return /^\{\w+\}$/.test(segment) && other !== "";
}
