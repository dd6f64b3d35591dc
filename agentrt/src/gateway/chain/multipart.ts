import { isUtf8 } from "node:buffer";
import type { JsonObject } from "../../core/index.ts";

const partCountMax = 1_000;
const headSizeBytesMax = 16_384;
const lineEnd = "\r\n";
const boundaryPattern = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
// Sticky: each parameter begins where the last one ended, so that a hostile header is read only once.
const parameterPattern = /\s*;\s*([\w*-]+)=(?:"((?:\\.|[^"\\\r\n])*)"|([^\s;"]+))/y;
const plainEncodings = new Set(["7bit", "8bit", "binary"]);

/** One parsed part. */
interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly content: Buffer;
}

/**
 * Parses a `multipart/form-data` body: text fields by name, files under `__files__`, each with `filename`,
 * `content_type`, `size` in bytes and `content_base64`. Of a repeated name the last one stays.
 * Why this is not a library: docs/adr/0018.
 *
 * @param bytes The whole body.
 * @param contentType Its `content-type`, with the boundary.
 * @returns An object without prototype, or the reason why the body is refused.
 */
export function parseMultipart(
  bytes: Uint8Array,
  contentType: string,
): { readonly body: JsonObject } | { readonly fault: string } {
  const match = boundaryPattern.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) return { fault: "the content type names no boundary" };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = splitParts(buffer, `--${boundary}`);
  if (typeof parts === "string") return { fault: parts };
  const body = Object.create(null) as JsonObject;
  const files = Object.create(null) as JsonObject;
  let fileCount = 0;
  for (const raw of parts) {
    const part = parsePart(raw);
    if (typeof part === "string") return { fault: part };
    if (part.filename !== undefined) {
      fileCount += 1;
      files[part.name] = fileOf(part, part.filename);
      continue;
    }
    if (!isUtf8(part.content)) return { fault: `field "${part.name}" is not UTF-8` };
    body[part.name] = part.content.toString("utf8");
  }
  if (fileCount > 0) body["__files__"] = files;
  return { body };
}

function fileOf({ content, contentType }: Part, filename: string): JsonObject {
  return {
    filename,
    content_type: contentType ?? "application/octet-stream",
    size: content.byteLength,
    content_base64: content.toString("base64"),
  };
}

/** The bytes between the delimiters; what is before the first and after the last delimiter is ignored. */
function splitParts(bytes: Buffer, delimiter: string): Buffer[] | string {
  const between = Buffer.from(lineEnd + delimiter, "latin1");
  const isAtStart = bytes.subarray(0, delimiter.length).equals(between.subarray(lineEnd.length));
  let at = isAtStart ? -lineEnd.length : bytes.indexOf(between);
  if (at === -1) return "there is no boundary in it";
  const parts: Buffer[] = [];
  for (;;) {
    const after = at + between.byteLength;
    const tail = bytes.toString("latin1", after, after + 2);
    if (tail === "--") return parts;
    if (tail !== lineEnd) return "a boundary is not followed by the end of the line";
    const next = bytes.indexOf(between, after);
    if (next === -1) return "it ends without the last boundary";
    if (parts.length === partCountMax) return `it has more than ${partCountMax} parts`;
    parts.push(bytes.subarray(after + lineEnd.length, next));
    at = next;
  }
}

function parsePart(bytes: Buffer): Part | string {
  // A part without headers begins with the empty line.
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1 || headEnd > headSizeBytesMax) return "a part has no headers, or too many";
  const head = bytes.subarray(0, headEnd);
  if (!isUtf8(head)) return "the headers of a part are not UTF-8";
  const headers = new Map<string, string>();
  for (const line of head.toString("utf8").split(lineEnd)) {
    const colon = line.indexOf(":");
    if (colon < 1) return "a part has a malformed header";
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  if (!/^form-data\s*(?:;|$)/i.test(disposition)) return "a part has no form-data disposition";
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase();
  if (encoding !== undefined && !plainEncodings.has(encoding)) {
    return "a part is encoded, want its bytes as they are";
  }
  const parameters = parametersOf(disposition, "form-data".length);
  const name = parameters.get("name");
  if (name === undefined) return "a part has no name";
  return {
    name,
    filename: parameters.get("filename"),
    contentType: headers.get("content-type"),
    content: bytes.subarray(headEnd + 4),
  };
}

function parametersOf(header: string, start: number): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = start;
  for (;;) {
    const match = parameterPattern.exec(header);
    if (match === null) return parameters;
    const [, key = "", quoted, plain = ""] = match;
    parameters.set(key.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain);
  }
}
