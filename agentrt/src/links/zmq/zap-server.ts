import type { ZmqClient } from "./client-types.ts";
import { z85Of } from "./z85.ts";

/** Where the library asks whether a client may connect (ZeroMQ RFC 27). */
const zapAddress = "inproc://zeromq.zap.01";
const keyByteCount = 32;

/** Answers who may connect. */
export interface ZapServer {
  /** Ends it: nobody may connect any more. */
  stop(): void;
}

/**
 * Lets those clients connect whose public keys are allowed. Encryption by itself keeps nobody out: any key pair will do for it.
 *
 * @param client The library.
 * @param context Of the sockets that clients connect to.
 * @param isAllowed Told the public key as Z85.
 */
export async function startZapServer(
  client: ZmqClient,
  context: object,
  isAllowed: (publicKey: string) => boolean,
): Promise<ZapServer> {
  const router = new client.Router({ context, linger: 0 });
  await router.bind(zapAddress);
  const answer = async (): Promise<void> => {
    for await (const [id, delimiter, version, request, , , , mechanism, key] of router) {
      if (id === undefined || delimiter === undefined || request === undefined) continue;
      const isCurve = mechanism?.toString() === "CURVE" && key?.length === keyByteCount;
      const isGood = isCurve && isAllowed(z85Of(key));
      const [status, text] = isGood ? ["200", "OK"] : ["400", "this key is not allowed"];
      await router.send([id, delimiter, version ?? "1.0", request, status, text, "", ""]);
    }
  };
  // It ends with its socket; what is not answered is refused.
  answer().catch(() => router.close());
  return { stop: () => router.close() };
}
