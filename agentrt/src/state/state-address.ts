import { existsSync } from "node:fs";
import { stateErrors } from "./errors.ts";
import { defaultBucket, NatsKvStateStore } from "./nats-kv/index.ts";
import { PostgresStateStore } from "./postgres/index.ts";
import type { RawStates } from "./raw-states.ts";
import { SqliteStateStore } from "./sqlite/index.ts";

/** How long a command waits for a NATS server, milliseconds. */
const natsTimeoutMs = 5000;

/** Where states are kept, as a command line names it. */
export type StateAddress =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string }
  | { readonly kind: "nats"; readonly server: string; readonly bucket: string };

/**
 * Reads an address: `sqlite:<path>`, `postgresql://…`, `postgres://…`, `nats://<host>:<port>/<bucket>`, or a path that ends in .db, .sqlite or .sqlite3.
 *
 * @param text The address.
 * @param options.argument What it is called when it is wrong; the text itself may hold a password.
 * @param options.isPathAllowed Takes any other text as the path of a file; default false.
 * @returns The address.
 * @throws AGENTRT_STATE_DSN_INVALID.
 */
export function readStateAddress(
  text: string,
  options: { readonly argument: string; readonly isPathAllowed?: boolean },
): StateAddress {
  if (/^postgres(?:ql)?:\/\//i.test(text)) return { kind: "postgres", url: text };
  const [, server, bucket = ""] = /^((?:nats|tls):\/\/[^/\s]+)(?:\/([\w-]*))?$/i.exec(text) ?? [];
  if (server !== undefined)
    return { kind: "nats", server, bucket: bucket === "" ? defaultBucket : bucket };
  const path = /^sqlite:(.+)$/is.exec(text)?.[1];
  if (path !== undefined) return { kind: "sqlite", path };
  const isPath = !text.includes("://") && /[^/\\]\.(?:db|sqlite3?)$/i.test(text);
  if (isPath || (options.isPathAllowed === true && text !== "" && !text.includes("://")))
    return { kind: "sqlite", path: text };
  throw new stateErrors.DSN_INVALID({ argument: options.argument });
}

/**
 * Opens what an address names.
 *
 * @param address The address.
 * @param options.access `look` reads, and makes no file and no table; `write` makes what is not there.
 * @returns The states; for `look`, `undefined` when there is no such file.
 * @throws AGENTRT_STATE_*.
 */
export function openStates(
  address: StateAddress,
  { access }: { readonly access: "look" | "write" },
): RawStates | undefined {
  const isLook = access === "look";
  if (address.kind === "postgres")
    return new PostgresStateStore({ url: address.url, isReadOnly: isLook, poolSizeMax: 2 });
  if (address.kind === "nats") {
    const { server, bucket } = address;
    const connectTimeoutMs = natsTimeoutMs;
    return new NatsKvStateStore({ servers: [server], bucket, isLook, connectTimeoutMs });
  }
  if (isLook && !existsSync(address.path)) return undefined;
  return new SqliteStateStore({ path: address.path, isSnapshot: isLook });
}
