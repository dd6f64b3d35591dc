/**
 * The fields of a topology's sections as schemas, and the JSON Schema that editors get.
 *
 * It must not know files, positions or which kinds of node there are.
 */
export { declaredSettings } from "./declared-settings.ts";
export { nodeName, text } from "./fields.ts";
export {
  auditSchema,
  mcpSchema,
  pluginsSchema,
  securitySchema,
  supervisorSchema,
  transportOfKey,
  transportSchema,
} from "./sections.ts";
