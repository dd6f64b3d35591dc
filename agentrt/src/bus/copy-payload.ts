import { busErrors, type JsonObject, type JsonValue } from "../core/index.ts";

/** Deepest nesting of a payload; a cycle ends here too. */
export const payloadDepthMax = 200;

/** Most objects and lists in a payload: one object that is met over and over would make it endless. */
export const payloadBranchCountMax = 2_000_000;

/** Objects and lists below the payload that is being copied. */
let branchCount = 0;

/** The way from the payload to a value, from the end. */
interface Step {
  readonly parent: Step | undefined;
  readonly key: string | number;
  readonly depth: number;
}

const objectPrototype: unknown = Object.prototype;

/**
 * Copies a payload, so that what sender and receiver do to their own objects is never seen on the other side, and
 * refuses what is not plain JSON. Members that are undefined are left out, as JSON does; a member named `__proto__`
 * stays an ordinary member.
 *
 * @param payload A plain object.
 * @returns A deep copy.
 * @throws AGENTRT_BUS_PAYLOAD_NOT_JSON naming the path of the first value that is not JSON.
 */
export function copyPayload(payload: object): JsonObject {
  if (typeof payload !== "object" || payload === null || !isPlainObject(payload)) {
    throw refusal(undefined, payload);
  }
  branchCount = 0;
  return copyObject(payload, undefined);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === objectPrototype || prototype === null;
}

// Most payloads are flat objects of strings and numbers: one pass, no recursion, nothing allocated but the copy.
function copyObject(source: object, at: Step | undefined): JsonObject {
  const copy: JsonObject = {};
  const members = source as { readonly [key: string]: unknown };
  for (const key in members) {
    const value = members[key];
    if (key === "__proto__") {
      if (Object.hasOwn(members, key)) defineMember(copy, key, copyValue(value, stepTo(at, key)));
    } else if (typeof value === "string" || typeof value === "boolean" || value === null) {
      copy[key] = value;
    } else if (typeof value === "number" && Number.isFinite(value)) {
      copy[key] = value;
    } else if (value !== undefined) {
      copy[key] = copyValue(value, stepTo(at, key));
    }
  }
  return copy;
}

function copyValue(value: unknown, at: Step): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object" || at.depth > payloadDepthMax) throw refusal(at, value);
  branchCount += 1;
  if (branchCount > payloadBranchCountMax) {
    throw refusal(at, value, `one of more than ${payloadBranchCountMax} objects and lists`);
  }
  if (Array.isArray(value)) return copyArray(value, at);
  if (!isPlainObject(value)) throw refusal(at, value);
  return copyObject(value, at);
}

function copyArray(source: readonly unknown[], at: Step): JsonValue[] {
  const copy: JsonValue[] = [];
  for (let index = 0; index < source.length; index += 1) {
    const value = source[index];
    if (typeof value === "string") copy.push(value);
    else copy.push(copyValue(value, stepTo(at, index)));
  }
  return copy;
}

function defineMember(copy: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(copy, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function stepTo(parent: Step | undefined, key: string | number): Step {
  return { parent, key, depth: (parent?.depth ?? 0) + 1 };
}

function refusal(at: Step | undefined, value: unknown, found?: string): Error {
  let path = "";
  for (let step = at; step !== undefined; step = step.parent) {
    const isName = typeof step.key === "string" && /^[\w$]+$/.test(step.key);
    path = (isName ? `.${step.key}` : `[${JSON.stringify(step.key)}]`) + path;
  }
  const error = new busErrors.PAYLOAD_NOT_JSON({
    path: `payload${path.length > 120 ? `${path.slice(0, 117)}...` : path}`,
    found: found ?? describeValue(value, at?.depth ?? 0),
  });
  // A deep payload would fill the stack with steps of this file, and say nothing of who sent it.
  Error.captureStackTrace(error, copyPayload);
  return error;
}

function describeValue(value: unknown, depth: number): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) {
    return value === null || value === undefined ? String(value) : `a ${typeof value}`;
  }
  if (depth > payloadDepthMax) return `nested deeper than ${payloadDepthMax} levels, or a cycle`;
  if (Array.isArray(value)) return "an array";
  const maker: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof maker === "string" && maker !== "" ? `a ${maker}` : "an object of a class";
}
