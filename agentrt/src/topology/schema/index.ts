/**
 * The fields of a topology's sections as schemas, and the JSON Schema that editors get.
 *
 * It must not know files, positions or which kinds of node there are.
 */
export { budgetField, budgetKeysAt, budgetText } from "./budget-field.ts";
export { declaredSettings } from "./declared-settings.ts";
export { nodeName, text } from "./fields.ts";
export {
  auditSchema,
  shutdownSchema,
  tracingSchema,
  mcpSchema,
  pluginsSchema,
  securitySchema,
  supervisorSchema,
  transportOfKey,
  transportSchema,
} from "./sections.ts";
export * as fields from "./fields.ts";
export type { KeyDescriptions } from "./field-json-schema.ts";
export { resilienceSchema } from "./resilience.ts";
export { topologyKeyDescriptions } from "./key-descriptions.ts";
export { wrappedStoreSchema } from "./sections.ts";
export { topologyJsonSchema } from "./topology-json-schema.ts";
