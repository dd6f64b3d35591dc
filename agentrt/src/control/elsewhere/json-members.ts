import type { JsonObject, JsonValue } from "../../core/index.ts";

/** @returns A text, empty for anything else. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** @returns A number, 0 for anything else. */
export function numberOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}

/** @returns Whether it is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @returns The objects of a list, none for anything else. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isObject(each)) : [];
}
