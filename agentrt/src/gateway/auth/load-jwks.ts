import { readFile, stat } from "node:fs/promises";
import type { System } from "../../core/index.ts";
import { gatewayAuthErrors } from "./errors.ts";

const sizeBytesMax = 1_048_576;
const timeoutMs = 5_000;

/**
 * Fetches the text of a key set. Follows no redirect, and reads no more than 1 MiB within 5 seconds.
 *
 * @param url An https URL.
 * @param system For the time limit.
 * @returns The body.
 * @throws AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE.
 */
export async function fetchJwks(url: string, system: System): Promise<string> {
  const cancel = new AbortController();
  const timer = system.setTimer(timeoutMs, () =>
    cancel.abort(new Error(`no answer within ${timeoutMs} ms`)),
  );
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal: cancel.signal,
      headers: { accept: "application/jwk-set+json, application/json" },
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return await readText(response);
  } catch (cause) {
    cancel.abort();
    throw new gatewayAuthErrors.JWKS_UNUSABLE({ source: url, reason: reasonOf(cause) }, { cause });
  } finally {
    system.clearTimer(timer);
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > sizeBytesMax) throw new Error(`more than ${sizeBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What `fetch` throws says only "fetch failed"; the reason is behind it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/**
 * Reads the text of a key set from a file of at most 1 MiB.
 *
 * @param path The file, relative to the working directory.
 * @throws AGENTRT_GATEWAY_AUTH_JWKS_UNUSABLE.
 */
export async function readJwksFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > sizeBytesMax) throw new Error(`more than ${sizeBytesMax} bytes`);
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new gatewayAuthErrors.JWKS_UNUSABLE({ source: path, reason: reasonOf(cause) }, { cause });
  }
}
