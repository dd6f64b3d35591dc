import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pid, platform } from "node:process";
import { reasonOf, type System } from "../../core/index.ts";
import type { Signer, Verifier } from "../../links/index.ts";
import { compositionErrors } from "../../node-kinds/index.ts";

const section = "security.identity";
const secretName = "id_ed25519";
const publicName = "id_ed25519.pub";
/** What is before the 32 bytes of a key in PKCS #8, and in a SubjectPublicKeyInfo. */
const secretPrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keySizeBytes = 32;
/** How often a key that was not there is looked for again, milliseconds, and how many are remembered. */
const lookAgainMs = 1000;
const unknownCountMax = 1000;
/** Most looks at the disk within `lookAgainMs`: who sends names that nobody has costs little. */
const lookCountMax = 20;

/** The keys of one process, as text: 32 bytes each, in base64. */
export interface SigningKeys {
  readonly seed: string;
  readonly publicKey: string;
}

/** Makes a pair of keys. */
export function makeSigningKeys(): SigningKeys {
  const { privateKey } = generateKeyPairSync("ed25519");
  const der = privateKey.export({ type: "pkcs8", format: "der" });
  return keysOf(der.subarray(-keySizeBytes));
}

/** @returns Where the keys of a process are, below the folder of keys. */
export function signingFiles(process: string): {
  readonly secret: string;
  readonly public: string;
} {
  const folder = encodeURIComponent(process).replaceAll(".", "%2E");
  return { secret: join(folder, secretName), public: join(folder, publicName) };
}

/**
 * Reads the keys of a process; where they are not there and may be made, they are.
 *
 * @param folder The folder of all keys.
 * @param name Name of the process.
 * @param isMade True where a missing key is made.
 * @throws AGENTRT_COMPOSITION_TRANSPORT_KEY.
 */
export function ownSigner(folder: string, name: string, isMade: boolean): Signer {
  const files = signingFiles(name);
  const path = join(folder, files.secret);
  const seed = readSeed(path) ?? (isMade ? writeKeys(folder, name) : undefined);
  if (seed === undefined)
    throw refusal(`there is no "${path}": run \`agentrt security init signing\``);
  const key = createPrivateKey({
    key: Buffer.concat([secretPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  return { name, sign: (bytes) => sign(null, bytes, key) };
}

/** Writes new keys, unless another process has in the same moment; then the ones of that are taken. */
function writeKeys(folder: string, name: string): Buffer {
  const files = signingFiles(name);
  const keys = makeSigningKeys();
  const path = join(folder, files.secret);
  const draft = `${path}.${pid}`;
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${keys.seed}\n`, { flag: "wx", mode: 0o600 });
    chmodSync(draft, 0o600);
    linkSync(draft, path);
    writeFileSync(join(folder, files.public), `${keys.publicKey}\n`, { mode: 0o644 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw refusal(`"${path}" cannot be written: ${reasonOf(cause)}`, cause);
  } finally {
    rmSync(draft, { force: true });
  }
  return readSeed(path) ?? Buffer.from(keys.seed, "base64");
}

function readSeed(path: string): Buffer | undefined {
  try {
    const mode = statSync(path).mode & 0o777;
    if (platform !== "win32" && (mode & 0o077) !== 0)
      throw refusal(
        `other users may use "${path}", which has mode ${mode.toString(8)}: run \`chmod 600\``,
      );
    return keyIn(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (cause instanceof compositionErrors.TRANSPORT_KEY) throw cause;
    throw refusal(`"${path}" cannot be read: ${reasonOf(cause)}`, cause);
  }
}

function keyIn(path: string): Buffer {
  const bytes = Buffer.from(readFileSync(path, "utf8").trim(), "base64");
  if (bytes.length === keySizeBytes) return bytes;
  throw refusal(`"${path}" holds no key, which is ${keySizeBytes} bytes in base64`);
}

function keysOf(seed: Buffer): SigningKeys {
  const key = createPrivateKey({
    key: Buffer.concat([secretPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const der = createPublicKey(key).export({ type: "spki", format: "der" });
  return {
    seed: seed.toString("base64"),
    publicKey: der.subarray(-keySizeBytes).toString("base64"),
  };
}

function refusal(reason: string, cause?: unknown): Error {
  const details = { section, key: "key_dir", reason };
  return new compositionErrors.TRANSPORT_KEY(details, cause === undefined ? {} : { cause });
}

/**
 * The public keys of other processes, from the folder of keys: read when the first message of a process comes. A process
 * whose key is not there yet is looked for again within a second.
 */
export class KnownSigners {
  readonly #folder: string;
  readonly #system: System;
  readonly #known = new Map<string, Verifier>();
  readonly #unknownUntilMs = new Map<string, number>();
  #looks = { count: 0, untilMs: 0 };

  constructor(folder: string, system: System) {
    this.#folder = folder;
    this.#system = system;
  }

  /** @returns What checks the signatures of a process; undefined where its key is not there. */
  verifierOf(name: string): Verifier | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const nowMs = this.#system.monotonicMs();
    if ((this.#unknownUntilMs.get(name) ?? 0) > nowMs || !this.#mayLook(nowMs)) return undefined;
    const key = this.#read(name);
    if (key === undefined) {
      if (this.#unknownUntilMs.size >= unknownCountMax) this.#unknownUntilMs.clear();
      this.#unknownUntilMs.set(name, nowMs + lookAgainMs);
      return undefined;
    }
    this.#unknownUntilMs.delete(name);
    const verifier: Verifier = (bytes, signature) => verify(null, bytes, key, signature);
    this.#known.set(name, verifier);
    return verifier;
  }

  #mayLook(nowMs: number): boolean {
    if (nowMs >= this.#looks.untilMs) this.#looks = { count: 0, untilMs: nowMs + lookAgainMs };
    this.#looks.count += 1;
    return this.#looks.count <= lookCountMax;
  }

  #read(name: string): KeyObject | undefined {
    try {
      const bytes = keyIn(join(this.#folder, signingFiles(name).public));
      const key = Buffer.concat([publicPrefix, bytes]);
      return createPublicKey({ key, format: "der", type: "spki" });
    } catch {
      // It is not there, or not whole: who it is is not known.
      return undefined;
    }
  }
}
