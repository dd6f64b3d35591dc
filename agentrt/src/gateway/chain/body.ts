import { isUtf8 } from "node:buffer";
import type { JsonObject, JsonValue } from "../../core/index.ts";
import { changedNumber } from "./changed-number.ts";
import { parseMultipart } from "./multipart.ts";
import { errorResponse, type GatewayResponse, type StringMap } from "../request.ts";

/** A parsed body, or the response that refuses it. */
export type ParsedBody = { readonly body: JsonObject } | { readonly refusal: GatewayResponse };

const jsonMediaType = /^(?:application|text)\/(?:[\w.+-]+\+)?json$/;
const formMediaType = /^multipart\/form-data\s*(?:;|$)/i;
const knownCharset = /^"?(?:utf-?8|us-ascii)"?$/;

/**
 * Parses a request body. An empty body becomes `{}`, a JSON object stays as it is, a form becomes an object of its
 * fields and files. Everything else is refused.
 *
 * @param bytes The whole body.
 * @param headers For `content-type` and `content-encoding`.
 * @param jsonDepthMax Deepest nesting of arrays and objects that is accepted.
 * @returns The object, or a response with status 400 or 415.
 */
export function parseBody(bytes: Uint8Array, headers: StringMap, jsonDepthMax: number): ParsedBody {
  if (bytes.byteLength === 0) return { body: {} };
  const unsupported = unsupportedMedia(headers);
  if (unsupported !== undefined) return { refusal: errorResponse(415, unsupported) };
  const contentType = headers["content-type"];
  if (contentType !== undefined && formMediaType.test(contentType)) {
    const form = parseMultipart(bytes, contentType);
    return "fault" in form
      ? { refusal: errorResponse(400, `invalid multipart body: ${form.fault}`) }
      : form;
  }
  const text = jsonText(bytes);
  const value = text === undefined ? undefined : parseJson(text);
  if (text === undefined || value === undefined)
    return { refusal: errorResponse(400, "invalid JSON body") };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { refusal: errorResponse(400, "request body must be a JSON object") };
  }
  // A body of n bytes nests at most n/2 deep, so short ones need no walk.
  if (bytes.byteLength > 2 * jsonDepthMax && isDeeperThan(value, jsonDepthMax)) {
    return {
      refusal: errorResponse(400, `request body nests deeper than ${jsonDepthMax} levels`),
    };
  }
  const changed = changedNumber(text);
  if (changed !== undefined)
    return { refusal: errorResponse(400, `request body holds ${changed}`) };
  return { body: value };
}

function unsupportedMedia(headers: StringMap): string | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return "content encoding is not supported: send the body as plain JSON";
  }
  const contentType = headers["content-type"];
  if (contentType === undefined || contentType === "application/json") return undefined;
  const [mediaType = "", ...parameters] = contentType.toLowerCase().split(";");
  if (formMediaType.test(contentType)) return undefined;
  const isJson = jsonMediaType.test(mediaType.trim());
  const isReadable = parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.trim().split("=");
    return name !== "charset" || knownCharset.test(value);
  });
  return isJson && isReadable
    ? undefined
    : "content type is not supported: send application/json in UTF-8, or multipart/form-data";
}

/** @returns What the bytes say, without a byte order mark; `undefined` where they are not UTF-8. */
function jsonText(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString();
  // Bytes that are not UTF-8 are decoded to this character; only a text with it needs the second check.
  if (text.includes("\ufffd") && !isUtf8(bytes)) return undefined;
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Not JSON: the one outcome the caller tells the client about.
  }
}

/**
 * Says whether a JSON value nests too deep. Walks no deeper than the limit, so the walk cannot overflow the stack.
 *
 * @param value The value.
 * @param depthMax Deepest nesting of arrays and objects, 0 for none.
 */
export function isDeeperThan(value: JsonValue, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depthMax === 0) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, depthMax - 1));
}
