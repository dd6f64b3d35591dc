import { copyParams, type RouteMatch, type Router } from "./router.ts";
import { parseTarget, type RequestTarget, splitPath } from "./target.ts";

/** The route of a request, and its parsed target. */
export type RouteLookup<Target> =
  | { readonly target: RequestTarget; readonly match: RouteMatch<Target> }
  | { readonly fault: string };

type Found<Target> = Extract<RouteMatch<Target>, { kind: "found" }>;

interface KnownRoute<Target> {
  readonly target: RequestTarget;
  readonly match: Found<Target>;
}

/** Most targets that are cached per method; with one more, the cache is emptied. */
const knownCountMax = 1024;
/** Longer targets are not cached. */
const knownLengthMax = 128;

/**
 * Finds the routes of request targets. Clients ask for the same few targets again and again, so targets without a query
 * are cached in a map.
 */
export class KnownRoutes<Target> {
  readonly #router: Router<Target>;
  readonly #known = new Map<string, Map<string, KnownRoute<Target>>>();

  constructor(router: Router<Target>) {
    this.#router = router;
  }

  /**
   * @param method Upper-case. `HEAD` without its own route is served as `GET`.
   * @param text The target as it came.
   * @returns The route with its own copy of the parameters, a miss, or one line that names the fault of the target.
   */
  find(method: string, text: string): RouteLookup<Target> {
    const known = this.#known.get(method)?.get(text);
    if (known === undefined) return this.#lookUp(method, text);
    const { target, pathParams } = known.match;
    const match = { kind: "found", target, pathParams: copyParams(pathParams) } as const;
    return { target: known.target, match };
  }

  #lookUp(method: string, text: string): RouteLookup<Target> {
    const target = parseTarget(text);
    if (target === undefined) return { fault: "malformed request target" };
    const segments = splitPath(target.path);
    if (segments === undefined) return { fault: "malformed request path" };
    let match = this.#router(method, segments);
    if (method === "HEAD" && match.kind === "wrong_method") match = this.#router("GET", segments);
    if (match.kind === "found" && target.query === "" && text.length <= knownLengthMax) {
      const pathParams = copyParams(match.pathParams);
      this.#remember(method, text, { target, match: { ...match, pathParams } });
    }
    return { target, match };
  }

  #remember(method: string, text: string, route: KnownRoute<Target>): void {
    let ofMethod = this.#known.get(method);
    if (ofMethod === undefined) this.#known.set(method, (ofMethod = new Map()));
    if (ofMethod.size >= knownCountMax) ofMethod.clear();
    ofMethod.set(text, route);
  }
}
