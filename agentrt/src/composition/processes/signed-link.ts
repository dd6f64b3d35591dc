import type { JsonObject, Kernel } from "../../core/index.ts";
import { BurstLog } from "../../core/index.ts";
import { type Link, type SignatureFault, SignedLink } from "../../links/index.ts";
import type { NetworkedRuntime } from "../../runtime/index.ts";
import type { Topology } from "../../topology/index.ts";
import { KnownSigners, ownSigner } from "./signing-keys.ts";

/** Where keys are, unless `key_dir` says otherwise. */
const keyDirDefault = "agentrt-keys";
/** How far the clocks of two machines and the way between them may be apart, unless `max_age` says otherwise, seconds. */
const ageSecondsDefault = 300;

/** What is said of each fault. */
const faultTexts: { readonly [Fault in SignatureFault]: string } = {
  unsigned: "it has no signature",
  unknown_signer: "nobody knows the key of its signer",
  bad_signature: "its signature does not fit: it was altered, or its signer is another one",
  too_old: "it was signed too long ago, or the clocks of both machines differ",
  replayed: "it has come before",
};

/**
 * Puts signatures around the messages of a link, where `security.signing` asks for them.
 *
 * @param link What carries the messages.
 * @param topology Whose sections `security.signing` and `security.identity` count.
 * @param owner Which process this is, and who hears of faults.
 * @returns The same link where nothing is signed.
 * @throws AGENTRT_COMPOSITION_TRANSPORT_KEY when a key cannot be used.
 */
export function signedLink(
  link: Link,
  { security = {} }: Topology,
  owner: {
    readonly process: string | undefined;
    readonly kernel: Pick<Kernel, "system" | "log" | "wheel">;
    readonly runtime: Pick<NetworkedRuntime, "noteRefusal">;
  },
): Link {
  const signing = objectOf(security["signing"]);
  if (signing["enabled"] !== true) return link;
  const identity = objectOf(security["identity"]);
  const { key_dir: folder } = identity;
  const { max_age: ageSeconds } = signing;
  const { kernel, process = "supervisor", runtime } = owner;
  const keyDir = typeof folder === "string" ? folder : keyDirDefault;
  const signers = new KnownSigners(keyDir, kernel.system);
  const bursts = new BurstLog(kernel.log, kernel);
  return new SignedLink({
    link,
    signer: ownSigner(keyDir, process, identity["mode"] !== "provisioned"),
    verifierOf: (name) => signers.verifierOf(name),
    system: kernel.system,
    ageMsMax: (typeof ageSeconds === "number" ? ageSeconds : ageSecondsDefault) * 1000,
    isUnsignedTaken: signing["allow_unsigned"] === true,
    isRefusing: signing["require_verification"] !== false,
    onFault: (fault, signer) => {
      const fields = { reason: faultTexts[fault], signer: shown(signer) };
      bursts.warn(
        { kind: fault, origin: link.name },
        "a message of another process is refused",
        fields,
      );
      runtime.noteRefusal({
        gateway: link.name,
        by: "signing",
        status: 403,
        client: shown(signer),
        details: { fault },
      });
    },
  });
}

/** What a stranger calls itself is not taken at its length. */
function shown(signer = ""): string {
  return signer.slice(0, 64);
}

function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}
