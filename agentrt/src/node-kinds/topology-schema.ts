import type { JsonObject } from "../core/index.ts";
import { topologyJsonSchema, topologyKeyDescriptions } from "../topology/index.ts";
import { kindKeyDescriptions } from "./key-descriptions.ts";
import { nodeKinds } from "./node-kind-table.ts";

/**
 * Makes the JSON Schema of this build's topology files, which `docs/reference/topology.schema.json` holds.
 *
 * @returns The schema, as `topologyJsonSchema` makes it.
 */
export function createTopologySchema(): JsonObject {
  return topologyJsonSchema(nodeKinds, { ...topologyKeyDescriptions, ...kindKeyDescriptions });
}
