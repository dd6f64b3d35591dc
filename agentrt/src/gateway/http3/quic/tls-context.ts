import type { TlsMaterial } from "../../listening/index.ts";
import type { OpenSsl } from "./open-ssl.ts";

/** What a QUIC listener's TLS is made of. */
export interface TlsContext {
  readonly pointer: bigint;
  /** Serves new connections with other certificates of the same kind of key. */
  use(tls: TlsMaterial): void;
  /** Frees it, after everything that was made of it. */
  free(): void;
}

const verifyModes = { none: 0, optional: 1, required: 3 } as const;
const ctrl = { mode: 33, chain: 88, addChain: 89 } as const;
/** Partial writes, from memory that may have moved. */
const writeModes = 3n;
/** Of every certificate in the chain. */
const checkRevocation = 12n;
const alpnAnswers = { taken: 0, refused: 2 } as const;

/**
 * Makes the TLS context of a QUIC server, from what the TCP listener is made of: the same certificate, the same
 * authority, the same revocation list. Sessions are not resumed, so that every connection is verified.
 *
 * @param openSsl The library.
 * @param tls Tried out by `readTlsMaterial`.
 * @param method What is spoken: `OSSL_QUIC_server_method()`.
 * @returns The context.
 */
export function createTlsContext(openSsl: OpenSsl, tls: TlsMaterial, method: bigint): TlsContext {
  const { functions } = openSsl;
  const context = functions.SSL_CTX_new(method);
  functions.SSL_CTX_ctrl(context, ctrl.mode, writeModes, null);
  functions.SSL_CTX_set_num_tickets(context, 0n);
  functions.SSL_CTX_set_verify(context, verifyModes[tls.clientCertMode], null);
  useMaterial(openSsl, context, tls);
  const freeAlpn = selectAlpn(openSsl, context);
  return {
    pointer: context,
    use: (other) => useMaterial(openSsl, context, other),
    free: () => {
      functions.SSL_CTX_free(context);
      freeAlpn();
    },
  };
}

/** Puts the certificates of connections to come into a context. */
function useMaterial(openSsl: OpenSsl, context: bigint, tls: TlsMaterial): void {
  const { functions } = openSsl;
  const { cert, key, ca, crl } = tls.context;
  if (cert !== undefined && key !== undefined) {
    const [leaf = 0n, ...chain] = readCertificates(openSsl, bytesOf(cert));
    functions.SSL_CTX_use_certificate(context, leaf);
    functions.SSL_CTX_ctrl(context, ctrl.chain, 0n, null);
    for (const each of chain) functions.SSL_CTX_ctrl(context, ctrl.addChain, 1n, each);
    for (const each of [leaf, ...chain]) functions.X509_free(each);
    withPem(openSsl, bytesOf(key), (bio) => {
      const privateKey = functions.PEM_read_bio_PrivateKey(bio, null, null, null);
      functions.SSL_CTX_use_PrivateKey(context, privateKey);
      functions.EVP_PKEY_free(privateKey);
    });
  }
  // Another store, which the context takes over: authorities and lists of before count no more.
  const store = functions.X509_STORE_new();
  functions.SSL_CTX_set_cert_store(context, store);
  if (ca !== undefined) {
    for (const authority of readCertificates(openSsl, bytesOf(ca))) {
      functions.X509_STORE_add_cert(store, authority);
      functions.SSL_CTX_add_client_CA(context, authority);
      functions.X509_free(authority);
    }
  }
  for (const list of Array.isArray(crl) ? crl : []) {
    withPem(openSsl, bytesOf(list), (bio) => {
      const revoked = functions.PEM_read_bio_X509_CRL(bio, null, null, null);
      functions.X509_STORE_add_crl(store, revoked);
      functions.X509_CRL_free(revoked);
    });
    functions.X509_STORE_set_flags(store, checkRevocation);
  }
  functions.ERR_clear_error();
}

/** Takes `h3` and nothing else: OpenSSL asks by a callback while it reads the client's first message. */
function selectAlpn({ functions, library, ffi }: OpenSsl, context: bigint): () => void {
  const name = Buffer.from("h3");
  const namePointer = ffi.getRawPointer(name);
  const signature = {
    arguments: ["pointer", "pointer", "pointer", "pointer", "u32", "pointer"],
    return: "i32",
  } as const;
  const callback = library.registerCallback(
    signature,
    // oxlint-disable-next-line max-params -- OpenSSL calls it with these
    (_ssl, out, outLength, offered, offeredLength) => {
      const offers = ffi.toBuffer(offered as bigint, offeredLength, false);
      for (let at = 0; at < offeredLength; at += 1 + (offers[at] ?? 0)) {
        const length = offers[at] ?? 0;
        if (!offers.subarray(at + 1, at + 1 + length).equals(name)) continue;
        ffi.setUint64(out as bigint, 0, namePointer);
        ffi.setUint8(outLength as bigint, 0, length);
        return alpnAnswers.taken;
      }
      return alpnAnswers.refused;
    },
  );
  functions.SSL_CTX_set_alpn_select_cb(context, callback, null);
  // `name` must outlive the callback, which hands out its address.
  return () => void (name.byteLength > 0 && library.unregisterCallback(callback));
}

function readCertificates(openSsl: OpenSsl, pem: Uint8Array): bigint[] {
  const certificates: bigint[] = [];
  withPem(openSsl, pem, (bio) => {
    for (;;) {
      const each = openSsl.functions.PEM_read_bio_X509(bio, null, null, null);
      if (each === 0n) return;
      certificates.push(each);
    }
  });
  return certificates;
}

function withPem({ functions }: OpenSsl, pem: Uint8Array, use: (bio: bigint) => void): void {
  const bio = functions.BIO_new_mem_buf(pem, pem.byteLength);
  use(bio);
  functions.BIO_free(bio);
}

function bytesOf(material: unknown): Uint8Array {
  return typeof material === "string" ? Buffer.from(material) : (material as Uint8Array);
}
