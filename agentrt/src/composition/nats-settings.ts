import { readFileSync } from "node:fs";
import { env } from "node:process";
import { type JsonObject, reasonOf } from "../core/index.ts";
import type { NatsSettings, NatsTls } from "../nats/index.ts";
import { compositionErrors } from "../node-kinds/index.ts";
import type { Topology } from "../topology/index.ts";

const section = "security.transport.nats";
/** The seed of a user's nkey: never taken for the name of a variable. */
const seedPattern = /^SU[A-Z2-7]{56}$/;

/**
 * Says how NATS is connected to: the servers of `transport`, the files of `security.transport.nats.tls`, and the seed that
 * `nkey_seed` names.
 *
 * @param topology The topology.
 * @param servers In place of the file's.
 * @returns The settings; the files are there and can be read.
 * @throws AGENTRT_COMPOSITION_TRANSPORT_KEY.
 */
export function natsSettingsOf(
  { transport, security }: Topology,
  servers: readonly string[] = transport.servers,
): NatsSettings {
  const nats = objectAt(objectAt(security, "transport"), "nats");
  return { servers, tls: tlsOf(objectAt(nats, "tls")), nkeySeed: seedOf(nats?.["nkey_seed"]) };
}

function tlsOf(tls: JsonObject | undefined): NatsTls | undefined {
  if (tls === undefined || tls["enabled"] === false) return undefined;
  const files = { ca: fileAt(tls, "ca"), cert: fileAt(tls, "cert"), key: fileAt(tls, "key") };
  const refuse = (key: string, reason: string): never => {
    throw new compositionErrors.TRANSPORT_KEY({ section: `${section}.tls`, key, reason });
  };
  if (files.cert !== undefined && files.key === undefined) refuse("cert", "it needs its `key`");
  if (files.key !== undefined && files.cert === undefined) refuse("key", "it needs its `cert`");
  return files;
}

function fileAt(tls: JsonObject, key: string): string | undefined {
  const path = tls[key];
  if (typeof path !== "string") return undefined;
  try {
    readFileSync(path);
    return path;
  } catch (cause) {
    const reason = `"${path}" cannot be read: ${reasonOf(cause)}`;
    throw new compositionErrors.TRANSPORT_KEY(
      { section: `${section}.tls`, key, reason },
      { cause },
    );
  }
}

/** A text other than a seed is the name of the variable that holds it. */
function seedOf(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  if (seedPattern.test(given)) return given;
  const refuse = (reason: string): never => {
    throw new compositionErrors.TRANSPORT_KEY({ section, key: "nkey_seed", reason });
  };
  // What is neither is not repeated: it may be a secret with a typing error in it.
  if (!/^[A-Za-z_]\w*$/.test(given))
    return refuse("it is neither a seed nor the name of an environment variable");
  if (given.length > 40) return refuse("it is neither the seed of a user nor a variable's name");
  const found = env[given]?.trim() ?? "";
  if (found === "") return refuse(`the environment variable ${given} is not set`);
  if (!seedPattern.test(found))
    return refuse(
      `the environment variable ${given} holds no seed of a user, SU and 56 characters`,
    );
  return found;
}

function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key];
  const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
  return isObject ? found : undefined;
}
