import type { MessageSchemas } from "../../core/index.ts";
import { describeBySchemas, type RouteDescription } from "../docs/index.ts";

/** The default routes, for the API's description. */
const defaultRouteDescriptions: readonly RouteDescription[] = [
  { method: "POST", path: "/agents/{name}", tag: "agents", mode: "call" },
  { method: "POST", path: "/agents/{name}/cast", tag: "agents", mode: "cast" },
  { method: "GET", path: "/agents/{name}/state", tag: "agents", mode: "call" },
];

/**
 * The default routes, for the API's description: those of agents with schemas by their names before them.
 *
 * @param schemas What the classes of agents declare, by name of the agent.
 */
export function defaultDescriptions(
  schemas: ReadonlyMap<string, MessageSchemas>,
): RouteDescription[] {
  const named = [...schemas].flatMap(([name, declared]) =>
    defaultRouteDescriptions
      .filter(({ method }) => method === "POST")
      .map((route) => ({ ...route, path: route.path.replace("{name}", name), tag: name }))
      .map((route) => describeBySchemas(route, declared)),
  );
  return [...named, ...defaultRouteDescriptions];
}
