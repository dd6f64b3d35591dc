import { gatewayErrors } from "../errors.ts";
import type { StringMap } from "../request.ts";
import { fitsRest, type RestPattern } from "./rest-routes.ts";
import { splitPath } from "./target.ts";

/** A method, a path pattern, and the target that they lead to. */
export interface RouteEntry<Target> {
  /** HTTP method, any case. */
  readonly method: string;
  /** Path pattern; a segment `{name}` stands for any one non-empty segment, a last `{name*}` for all that follow. */
  readonly path: string;
  readonly target: Target;
}

/** What the router found. */
export type RouteMatch<Target> =
  | { readonly kind: "found"; readonly target: Target; readonly pathParams: StringMap }
  | { readonly kind: "wrong_method"; readonly methods: readonly string[] }
  | { readonly kind: "unknown_path" };

/** Finds the route of a method and the decoded segments of a path. */
export type Router<Target> = (method: string, segments: readonly string[]) => RouteMatch<Target>;

interface CompiledRoute<Target> {
  readonly target: Target;
  /** Placeholder names by the position of their segment. */
  readonly paramNames: readonly (readonly [segmentIndex: number, name: string])[];
  /** Where its pattern ends in the rest of a path. */
  readonly rest: (RestPattern & { readonly name: string }) | undefined;
}

interface TrieNode {
  readonly literals: Map<string, TrieNode>;
  param: TrieNode | undefined;
  /** Route number by method, for patterns that end here. */
  readonly routeByMethod: Map<string, number>;
  /** The lowest route number at or below this node; the search skips branches that cannot win. */
  lowestRoute: number;
}

// Instances inherit nothing, as with a null prototype, and V8 keeps them as fast as ordinary objects.
const Params = function Params() {} as unknown as new () => { [name: string]: string };
Params.prototype = Object.create(null);

const methodPattern = /^[A-Z]+$/;
const placeholderPattern = /^\{([^{}*]+)\}$/;
const restPattern = /^\{([^{}*]+)\*\}$/;
const noParams: StringMap = Object.freeze(Object.create(null) as StringMap);

/**
 * Builds a router. The first declared route that fits wins, whether its segments are literal or placeholders; one that
 * ends in the rest of a path gets only what no other route takes, and of several such the first one that fits.
 * A look-up visits each node of the trie at most once, so its cost grows at most with the size of the table.
 *
 * @param entries In order of declaration.
 * @returns The look-up.
 * @throws AGENTRT_GATEWAY_ROUTE_INVALID when a method or a pattern is malformed.
 */
export function createRouter<Target>(entries: readonly RouteEntry<Target>[]): Router<Target> {
  const root = createNode(0);
  const routes = entries.map((entry, index) => insertRoute(root, entry, index));
  const resting = routes.filter(isResting);
  return (method, segments) => {
    const number = findRoute(root, method, segments);
    const route = number === undefined ? findRest(resting, method, segments) : routes[number];
    if (route !== undefined) {
      return { kind: "found", target: route.target, pathParams: paramsOf(route, segments) };
    }
    const methods = collectMethods(root, segments);
    for (const { rest } of resting) if (fitsRest(rest, segments)) methods.add(rest.method);
    return methods.size === 0
      ? { kind: "unknown_path" }
      : { kind: "wrong_method", methods: [...methods].sort() };
  };
}

function createNode(lowestRoute: number): TrieNode {
  return { literals: new Map(), param: undefined, routeByMethod: new Map(), lowestRoute };
}

function insertRoute<Target>(
  root: TrieNode,
  entry: RouteEntry<Target>,
  index: number,
): CompiledRoute<Target> {
  const method = entry.method.toUpperCase();
  const refuse = (reason: string): Error =>
    new gatewayErrors.ROUTE_INVALID({ method: entry.method, path: entry.path, reason });
  if (!methodPattern.test(method)) throw refuse("the method is not an HTTP method");
  if (!entry.path.startsWith("/")) throw refuse('the path does not begin with "/"');
  const segments = splitPath(entry.path);
  if (segments === undefined) throw refuse("the path has a malformed segment");
  const paramNames: [number, string][] = [];
  const restName = restPattern.exec(segments.at(-1) ?? "")?.[1];
  if (restName !== undefined) segments.pop();
  let node = root;
  segments.forEach((segment, segmentIndex) => {
    if (restPattern.test(segment)) throw refuse(`"${segment}" is not the last segment`);
    const name = placeholderPattern.exec(segment)?.[1];
    if (name === undefined && /[{}]/.test(segment)) {
      throw refuse(`segment "${segment}" mixes text and a placeholder`);
    }
    if (name !== undefined && paramNames.some(([, other]) => other === name)) {
      throw refuse(`placeholder "${name}" is there twice`);
    }
    if (name !== undefined) paramNames.push([segmentIndex, name]);
    node = name === undefined ? literalChild(node, segment, index) : paramChild(node, index);
  });
  if (restName === undefined) {
    if (!node.routeByMethod.has(method)) node.routeByMethod.set(method, index);
    return { target: entry.target, paramNames, rest: undefined };
  }
  if (paramNames.some(([, other]) => other === restName))
    throw refuse(`placeholder "${restName}" is there twice`);
  const before = segments.map((segment) =>
    placeholderPattern.test(segment) ? undefined : segment,
  );
  return { target: entry.target, paramNames, rest: { method, before, name: restName } };
}

type RestingRoute<Target> = CompiledRoute<Target> & {
  readonly rest: NonNullable<CompiledRoute<Target>["rest"]>;
};

function isResting<Target>(route: CompiledRoute<Target>): route is RestingRoute<Target> {
  return route.rest !== undefined;
}

function findRest<Target>(
  routes: readonly RestingRoute<Target>[],
  method: string,
  segments: readonly string[],
): CompiledRoute<Target> | undefined {
  return routes.find(({ rest }) => rest.method === method && fitsRest(rest, segments));
}

function literalChild(node: TrieNode, segment: string, index: number): TrieNode {
  const known = node.literals.get(segment);
  if (known !== undefined) return known;
  const child = createNode(index);
  node.literals.set(segment, child);
  return child;
}

function paramChild(node: TrieNode, index: number): TrieNode {
  node.param ??= createNode(index);
  return node.param;
}

function findRoute(
  root: TrieNode,
  method: string,
  segments: readonly string[],
): number | undefined {
  let best = Number.POSITIVE_INFINITY;
  const visit = (node: TrieNode, depth: number): void => {
    if (node.lowestRoute >= best) return;
    const segment = segments[depth];
    if (segment === undefined) {
      best = Math.min(best, node.routeByMethod.get(method) ?? best);
      return;
    }
    const literal = node.literals.get(segment);
    if (literal !== undefined) visit(literal, depth + 1);
    if (node.param !== undefined && segment !== "") visit(node.param, depth + 1);
  };
  visit(root, 0);
  return Number.isFinite(best) ? best : undefined;
}

function collectMethods(root: TrieNode, segments: readonly string[]): Set<string> {
  const methods = new Set<string>();
  const visit = (node: TrieNode, depth: number): void => {
    const segment = segments[depth];
    if (segment === undefined) {
      for (const method of node.routeByMethod.keys()) methods.add(method);
      return;
    }
    const literal = node.literals.get(segment);
    if (literal !== undefined) visit(literal, depth + 1);
    if (node.param !== undefined && segment !== "") visit(node.param, depth + 1);
  };
  visit(root, 0);
  return methods;
}

function paramsOf<Target>(route: CompiledRoute<Target>, segments: readonly string[]): StringMap {
  const { paramNames, rest } = route;
  if (paramNames.length === 0 && rest === undefined) return noParams;
  const params: { [name: string]: string } = new Params();
  for (const [segmentIndex, name] of paramNames) params[name] = segments[segmentIndex] ?? "";
  if (rest !== undefined) params[rest.name] = segments.slice(rest.before.length).join("/");
  return params;
}

/**
 * Copies the parameters of a match, so that a change of the copy affects no other request.
 *
 * @param params Of a match of this router.
 */
export function copyParams(params: StringMap): StringMap {
  if (params === noParams) return noParams;
  const copy: { [name: string]: string } = new Params();
  for (const name in params) copy[name] = params[name] as string;
  return copy;
}
