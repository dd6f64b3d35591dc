import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { reasonOf } from "../../core/index.ts";
import { wireErrors } from "../errors.ts";
import { type KeyPair, keyPairOf, keySizeBytes } from "./key-pair.ts";

/** Where keys lie unless `security.identity.key_dir` says otherwise. */
export const defaultKeyFolder = "./agentrt-keys";

/**
 * Reads the key pair of an agent, `<folder>/<agent>/id_ed25519` with its seed in base64, and `id_ed25519.pub` next to it.
 *
 * @param folder The key folder.
 * @param agent Name of the agent; what a path could misread is escaped as in a URL: `triage/desk` is `triage%2Fdesk`.
 * @param options.mayMake True to make a pair, 0600 and 0644, where there is none.
 * @throws AGENTRT_WIRE_KEY_FILE when there is none, when it is damaged, or when others may read the seed.
 */
export function readKeyPair(
  folder: string,
  agent: string,
  options: { readonly mayMake: boolean },
): KeyPair {
  const place = join(folder, folderNameOf(agent));
  const path = join(place, "id_ed25519");
  let text = readSeed(path);
  if (text === undefined && options.mayMake) {
    makeSeed(place, path);
    text = readSeed(path);
  }
  if (text === undefined) throw new wireErrors.KEY_FILE({ path, reason: "it is missing" });
  const seed = Buffer.from(text.trim(), "base64");
  if (seed.length !== keySizeBytes || seed.toString("base64") !== text.trim())
    throw new wireErrors.KEY_FILE({ path, reason: `wanted ${keySizeBytes} bytes in base64` });
  const pair = keyPairOf(seed);
  keepPublic(`${path}.pub`, pair, options.mayMake);
  return pair;
}

function readSeed(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw new wireErrors.KEY_FILE({ path, reason: "it is not a file" });
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0)
    throw new wireErrors.KEY_FILE({ path, reason: "others may read it: run chmod 600 on it" });
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    throw new wireErrors.KEY_FILE({ path, reason: reasonOf(error) }, { cause: error });
  }
}

/** Whole at once: of two processes that begin together, both use the pair of the first. */
function makeSeed(place: string, path: string): void {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    writeFileSync(own, `${randomBytes(keySizeBytes).toString("base64")}\n`, {
      mode: 0o600,
      flag: "wx",
    });
    try {
      linkSync(own, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(own);
    }
  } catch (error) {
    throw new wireErrors.KEY_FILE({ path, reason: reasonOf(error) }, { cause: error });
  }
}

function keepPublic(path: string, { publicText }: KeyPair, mayMake: boolean): void {
  let found: string | undefined;
  try {
    found = readFileSync(path, "latin1").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new wireErrors.KEY_FILE({ path, reason: reasonOf(error) }, { cause: error });
  }
  if (found === publicText) return;
  if (found !== undefined)
    throw new wireErrors.KEY_FILE({ path, reason: "it belongs to another id_ed25519" });
  if (mayMake) writeFileSync(path, `${publicText}\n`, { mode: 0o644 });
}

function folderNameOf(agent: string): string {
  const escaped = encodeURIComponent(agent).replaceAll("*", "%2A");
  return /^\.\.?$/.test(escaped) ? escaped.replaceAll(".", "%2E") : escaped;
}
