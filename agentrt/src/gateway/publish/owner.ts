import { createHash } from "node:crypto";
import type { GatewayRequest } from "../request.ts";

/**
 * Says whose a session or a task is: what one client has begun is not there for another.
 *
 * @param request Of the client.
 * @returns Its verified identity; where it has none but a key, a digest of that; empty where nobody asks who clients are.
 */
export function ownerOf({ auth, headers }: GatewayRequest): string {
  const id = auth?.principal?.id ?? auth?.id;
  if (id !== undefined) return `id:${id}`;
  const key = headers["x-api-key"];
  return key === undefined ? "" : `key:${createHash("sha256").update(key).digest("base64url")}`;
}
