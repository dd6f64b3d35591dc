import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { platform } from "node:process";
import { type JsonObject, type Kernel, reasonOf } from "../../core/index.ts";
import type { CurveClientKeys, CurveServerKeys } from "../../links/index.ts";
import { compositionErrors } from "../../node-kinds/index.ts";
import { AllowedClients } from "./allowed-clients.ts";

/** The keys of a process. */
interface ZmqKeys {
  readonly clientKeys?: CurveClientKeys;
  /** There where this process has the proxy. */
  readonly serverKeys?: CurveServerKeys;
}

const section = "security.transport.zmq.curve";
/** Where keys are, unless `key_dir` says otherwise. */
const keyDirDefault = "agentrt-keys";

/** The file of each key in its folder. */
const fileNames = {
  server_public_key: "zmq_server.pub",
  server_secret_key: "zmq_server.key",
  client_public_key: "zmq_client.pub",
  client_secret_key: "zmq_client.key",
} as const;

/** A key: 40 characters of Z85. */
const keyPattern = /^[0-9a-zA-Z.\-:+=^!/*?&<>()[\]{}@%$#]{40}$/;

/**
 * Reads the keys that `security.transport.zmq.curve` names: each from the section, else from its file.
 *
 * @param security The section `security`.
 * @param isServer True for the process that has the proxy.
 * @returns Nothing where CURVE is off.
 * @throws AGENTRT_COMPOSITION_TRANSPORT_KEY.
 */
export function zmqKeysOf(
  security: JsonObject | undefined,
  isServer: boolean,
  kernel: Pick<Kernel, "system" | "log">,
): ZmqKeys {
  const curve = objectAt(objectAt(objectAt(security, "transport"), "zmq"), "curve");
  if (curve === undefined || curve["enabled"] === false) return {};
  const folder = textAt(curve, "key_dir") ?? keyDirDefault;
  const keyOf = (key: keyof typeof fileNames): string => {
    const given = textAt(curve, key);
    if (given !== undefined) return checkKey(key, given, "it");
    const path = join(folder, fileNames[key]);
    return checkKey(key, readKeyFile(key, path), `"${path}"`);
  };
  const clientKeys = {
    publicKey: keyOf("client_public_key"),
    secretKey: keyOf("client_secret_key"),
    serverPublicKey: keyOf("server_public_key"),
  };
  if (!isServer) return { clientKeys };
  const path = textAt(curve, "allowed_clients") ?? join(folder, "zmq_allowed_clients.txt");
  const allowed = new AllowedClients(path, kernel);
  const isAllowed = (publicKey: string): boolean => allowed.has(publicKey);
  return { clientKeys, serverKeys: { secretKey: keyOf("server_secret_key"), isAllowed } };
}

function readKeyFile(key: string, path: string): string {
  try {
    const mode = statSync(path).mode & 0o777;
    if (key.endsWith("_secret_key") && platform !== "win32" && (mode & 0o077) !== 0) {
      const reason = `other users may use "${path}", which has mode ${mode.toString(8)}: run \`chmod 600\``;
      throw new compositionErrors.TRANSPORT_KEY({ section, key, reason });
    }
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    if (cause instanceof compositionErrors.TRANSPORT_KEY) throw cause;
    const reason = `"${path}" cannot be read: ${reasonOf(cause)}`;
    throw new compositionErrors.TRANSPORT_KEY({ section, key, reason }, { cause });
  }
}

function checkKey(key: string, text: string, what: string): string {
  if (keyPattern.test(text)) return text;
  const reason = `${what} holds no key, which is 40 characters of Z85`;
  throw new compositionErrors.TRANSPORT_KEY({ section, key, reason });
}

function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key];
  const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
  return isObject ? found : undefined;
}

function textAt(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === "string" ? found : undefined;
}
