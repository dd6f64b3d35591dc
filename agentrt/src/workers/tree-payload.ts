import { gunzipSync, gzipSync } from "node:zlib";
import type { JsonObject } from "../core/index.ts";
import type { TreeFiles } from "../runtime/index.ts";
import { textOf } from "./protocol.ts";

/** Most bytes of the files of a tree that comes from another process. */
const sizeBytesMax = 67_108_864;

/** Writes the files of a tree, packed: a message has a megabyte. */
export function treePayload({ hash, files }: TreeFiles): JsonObject {
  const text = JSON.stringify(files.map(({ fileName, text: each }) => [fileName, each]));
  return { topology: hash, files: gzipSync(text).toString("base64") };
}

/** @returns True for an answer that has a tree. */
export function hasTree({ files }: JsonObject): boolean {
  return typeof files === "string";
}

/**
 * Reads them.
 *
 * @throws What is wrong with the bytes; more than 64 MiB are refused.
 */
export function readTree({ topology, files }: JsonObject): TreeFiles {
  const packed = Buffer.from(textOf(files), "base64");
  const text = gunzipSync(packed, { maxOutputLength: sizeBytesMax }).toString("utf8");
  const pairs: unknown = JSON.parse(text);
  if (!Array.isArray(pairs)) throw new TypeError("The files of a tree are not a list");
  return {
    hash: textOf(topology),
    files: pairs.map((pair: unknown) => {
      const [fileName, each] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
      return { fileName: textOf(fileName), text: textOf(each) };
    }),
  };
}
