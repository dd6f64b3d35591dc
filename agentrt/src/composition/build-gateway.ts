import { type ChildSpec, TableError } from "../core/index.ts";
import type { Middleware, MiddlewareRef } from "../gateway/index.ts";
import { type KindNode, settingsOf, type Topology } from "../topology/index.ts";
import type { TreeLoader } from "./build-tree.ts";
import { compositionErrors } from "./errors.ts";
import { httpGateway, topologyServer } from "../node-specs/http-gateway.ts";
import { httpGatewayKind, topologyServerKind } from "../node-kinds/http-gateway.ts";

/**
 * Builds an `http_gateway` node: loads the functions behind the paths of its middleware.
 *
 * @param node The node.
 * @param topology For the name of the file.
 * @param loader Loads the functions.
 * @returns The description.
 * @throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position of the node.
 */
export async function buildGateway(
  node: KindNode,
  topology: Topology,
  loader: TreeLoader,
): Promise<ChildSpec> {
  const {
    routes,
    webSocketRoutes,
    authMiddleware,
    middleware,
    topologyMiddleware,
    certs,
    ...settings
  } = settingsOf(httpGatewayKind, node);
  const load = middlewareLoader(node, topology, loader);
  const builtRoutes = [];
  for (const { middleware: paths, ...route } of routes) {
    builtRoutes.push({ ...route, middleware: await load(paths) });
  }
  const builtWebSocketRoutes = [];
  for (const { middleware: paths, ...route } of webSocketRoutes) {
    builtWebSocketRoutes.push({ ...route, middleware: await load(paths) });
  }
  return httpGateway(node.name, {
    ...settings,
    tls: certs.tls,
    mtls: certs.mtls,
    routes: builtRoutes,
    webSocketRoutes: builtWebSocketRoutes,
    middleware: await load([...authMiddleware, ...middleware]),
    topologyMiddleware: await load(topologyMiddleware),
  });
}

/**
 * Builds a `topology_server` node. Parameters and errors as for `buildGateway`.
 *
 * @returns The description.
 */
export async function buildTopologyServer(
  node: KindNode,
  topology: Topology,
  loader: TreeLoader,
): Promise<ChildSpec> {
  const { middleware, certs, ...settings } = settingsOf(topologyServerKind, node);
  const load = middlewareLoader(node, topology, loader);
  return topologyServer(node.name, {
    ...settings,
    tls: certs.tls,
    mtls: certs.mtls,
    middleware: await load(middleware),
  });
}

/** Paths of this package stay paths: the gateway makes that middleware at every start. */
function middlewareLoader(
  node: KindNode,
  topology: Topology,
  loader: TreeLoader,
): (paths: readonly string[]) => Promise<MiddlewareRef[]> {
  const at = `${topology.fileName}:${node.at.line1}:${node.at.column1}`;
  const load = async (path: string): Promise<MiddlewareRef> => {
    if (path.startsWith("agentrt.")) return path;
    try {
      return (await loader.loadFunction(path)) as Middleware;
    } catch (cause) {
      if (!(cause instanceof TableError)) throw cause;
      throw new compositionErrors.CLASS_NOT_LOADED({ at, reason: cause.message }, { cause });
    }
  };
  return async (paths) => {
    const loaded: MiddlewareRef[] = [];
    for (const path of paths) loaded.push(await load(path));
    return loaded;
  };
}
