import { copyParams, type RouteMatch, type Router } from "./router.ts";
import { parseTarget, type RequestTarget, splitPath } from "./target.ts";

/** The route of a request, and its target taken apart. */
export type RouteLookup<Target> =
  | { readonly target: RequestTarget; readonly match: RouteMatch<Target> }
  | { readonly fault: string };

type Found<Target> = Extract<RouteMatch<Target>, { kind: "found" }>;

interface KnownRoute<Target> {
  readonly target: RequestTarget;
  readonly match: Found<Target>;
}

/** Targets that are remembered of each method; one more, and all are forgotten. */
const knownCountMax = 1024;
/** Longer ones are looked up each time. */
const knownLengthMax = 128;

/**
 * Finds the routes of request targets. Clients ask for the same few again and again: those without a query are
 * remembered, and cost a look into a map.
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
   * @returns The route with parameters of its own, a miss, or one line that says what is wrong with the target.
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
