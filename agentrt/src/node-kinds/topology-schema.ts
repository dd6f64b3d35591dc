import type { JsonObject } from "../core/index.ts";
import { topologyKeyDescriptions } from "../topology/schema/key-descriptions.ts";
import { topologyJsonSchema } from "../topology/schema/topology-json-schema.ts";
import { kindKeyDescriptions } from "./key-descriptions.ts";
import { nodeKinds } from "./node-kinds.ts";

/**
 * Makes the JSON Schema of this build's topology files, which `docs/reference/topology.schema.json` holds.
 *
 * @returns The schema, as `topologyJsonSchema` makes it.
 */
export function createTopologySchema(): JsonObject {
  return topologyJsonSchema(nodeKinds, { ...topologyKeyDescriptions, ...kindKeyDescriptions });
}
