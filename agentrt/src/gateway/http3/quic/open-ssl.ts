import type * as ffi from "node:ffi";
import process from "node:process";

const pointer = "pointer";
const size = "u64";

/** The functions of Node's own OpenSSL that QUIC is made of. */
const definitions = {
  OSSL_QUIC_server_method: { arguments: [], return: pointer },
  SSL_CTX_new: { arguments: [pointer], return: pointer },
  SSL_CTX_free: { arguments: [pointer], return: "void" },
  SSL_CTX_ctrl: { arguments: [pointer, "i32", "i64", pointer], return: "i64" },
  SSL_CTX_use_certificate: { arguments: [pointer, pointer], return: "i32" },
  SSL_CTX_use_PrivateKey: { arguments: [pointer, pointer], return: "i32" },
  SSL_CTX_set_cert_store: { arguments: [pointer, pointer], return: "void" },
  X509_STORE_new: { arguments: [], return: pointer },
  SSL_CTX_add_client_CA: { arguments: [pointer, pointer], return: "i32" },
  SSL_CTX_set_verify: { arguments: [pointer, "i32", pointer], return: "void" },
  SSL_CTX_set_num_tickets: { arguments: [pointer, size], return: "i32" },
  SSL_CTX_set_alpn_select_cb: { arguments: [pointer, pointer, pointer], return: "void" },
  X509_STORE_add_cert: { arguments: [pointer, pointer], return: "i32" },
  X509_STORE_add_crl: { arguments: [pointer, pointer], return: "i32" },
  X509_STORE_set_flags: { arguments: [pointer, size], return: "i32" },
  X509_free: { arguments: [pointer], return: "void" },
  X509_CRL_free: { arguments: [pointer], return: "void" },
  EVP_PKEY_free: { arguments: [pointer], return: "void" },
  i2d_X509: { arguments: [pointer, pointer], return: "i32" },
  BIO_new_mem_buf: { arguments: [pointer, "i32"], return: pointer },
  BIO_free: { arguments: [pointer], return: "i32" },
  BIO_ctrl: { arguments: [pointer, "i32", "i64", pointer], return: "i64" },
  BIO_new_bio_dgram_pair: { arguments: [pointer, size, pointer, size], return: "i32" },
  BIO_sendmmsg: { arguments: [pointer, pointer, size, size, size, pointer], return: "i32" },
  BIO_recvmmsg: { arguments: [pointer, pointer, size, size, size, pointer], return: "i32" },
  BIO_ADDR_new: { arguments: [], return: pointer },
  BIO_ADDR_free: { arguments: [pointer], return: "void" },
  BIO_ADDR_rawmake: { arguments: [pointer, "i32", pointer, size, "u16"], return: "i32" },
  BIO_ADDR_rawaddress: { arguments: [pointer, pointer, pointer], return: "i32" },
  BIO_ADDR_rawport: { arguments: [pointer], return: "u16" },
  PEM_read_bio_X509: { arguments: [pointer, pointer, pointer, pointer], return: pointer },
  PEM_read_bio_X509_CRL: { arguments: [pointer, pointer, pointer, pointer], return: pointer },
  PEM_read_bio_PrivateKey: { arguments: [pointer, pointer, pointer, pointer], return: pointer },
  SSL_new_listener: { arguments: [pointer, size], return: pointer },
  SSL_set_bio: { arguments: [pointer, pointer, pointer], return: "void" },
  SSL_listen: { arguments: [pointer], return: "i32" },
  SSL_set_blocking_mode: { arguments: [pointer, "i32"], return: "i32" },
  SSL_set_value_uint: { arguments: [pointer, "u32", "u32", size], return: "i32" },
  SSL_get_value_uint: { arguments: [pointer, "u32", "u32", pointer], return: "i32" },
  SSL_handle_events: { arguments: [pointer], return: "i32" },
  SSL_get_event_timeout: { arguments: [pointer, pointer, pointer], return: "i32" },
  SSL_get_accept_connection_queue_len: { arguments: [pointer], return: "u64" },
  SSL_accept_connection: { arguments: [pointer, size], return: pointer },
  SSL_is_init_finished: { arguments: [pointer], return: "i32" },
  SSL_get1_peer_certificate: { arguments: [pointer], return: pointer },
  SSL_get_conn_close_info: { arguments: [pointer, pointer, size], return: "i32" },
  SSL_set_default_stream_mode: { arguments: [pointer, "u32"], return: "i32" },
  SSL_set_incoming_stream_policy: { arguments: [pointer, "i32", size], return: "i32" },
  SSL_accept_stream: { arguments: [pointer, size], return: pointer },
  SSL_new_stream: { arguments: [pointer, size], return: pointer },
  SSL_get_stream_id: { arguments: [pointer], return: "u64" },
  SSL_get_stream_type: { arguments: [pointer], return: "i32" },
  SSL_get_stream_read_state: { arguments: [pointer], return: "i32" },
  SSL_get_stream_write_state: { arguments: [pointer], return: "i32" },
  SSL_read_ex: { arguments: [pointer, pointer, size, pointer], return: "i32" },
  SSL_write_ex2: { arguments: [pointer, pointer, size, size, pointer], return: "i32" },
  SSL_stream_conclude: { arguments: [pointer, size], return: "i32" },
  SSL_stream_reset: { arguments: [pointer, pointer, size], return: "i32" },
  SSL_shutdown_ex: { arguments: [pointer, size, pointer, size], return: "i32" },
  SSL_get_error: { arguments: [pointer, "i32"], return: "i32" },
  SSL_free: { arguments: [pointer], return: "void" },
  ERR_clear_error: { arguments: [], return: "void" },
} as const;

/** OpenSSL as it can be called from here. */
export interface OpenSsl {
  readonly functions: ReturnType<typeof ffi.dlopen<typeof definitions>>["functions"];
  /** For callbacks. */
  readonly library: ffi.DynamicLibrary;
  readonly ffi: typeof ffi;
}

/**
 * Finds OpenSSL's QUIC in the running Node.
 *
 * @returns Its functions, or half a sentence on what is missing.
 */
export function loadOpenSsl(): OpenSsl | { readonly missing: string } {
  const found = quietly(() => process.getBuiltinModule("node:ffi") as typeof ffi | undefined);
  if (found === undefined) return { missing: "this Node has no node:ffi" };
  try {
    const { functions, lib } = found.dlopen(null, definitions);
    return { functions, library: lib, ffi: found };
  } catch (error) {
    return { missing: `this Node does not give access to OpenSSL's QUIC (${String(error)})` };
  }
}

/** Node says of `node:ffi` that it is experimental, on the terminal of somebody who never wrote it. The guide says so. */
function quietly<T>(load: () => T): T {
  const own = Object.getOwnPropertyDescriptor(process, "emitWarning");
  if (own === undefined) return load();
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    Object.defineProperty(process, "emitWarning", own);
  }
}
