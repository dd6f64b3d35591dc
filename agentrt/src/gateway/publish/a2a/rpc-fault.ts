/** What a client gets in place of a result. */
export class RpcFault extends Error {
  readonly code: number;

  /**
   * @param code As JSON-RPC and the protocol have it.
   * @param message One line.
   */
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The codes that this server uses. */
export const rpcCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  pushNotSupported: -32003,
  unsupportedOperation: -32004,
  contentNotSupported: -32005,
  extendedCardNotConfigured: -32007,
  versionNotSupported: -32009,
} as const;

/** The names of those that are the protocol's own, for clients that read no numbers. */
const reasons: { readonly [code: number]: string } = {
  [rpcCodes.taskNotFound]: "TASK_NOT_FOUND",
  [rpcCodes.taskNotCancelable]: "TASK_NOT_CANCELABLE",
  [rpcCodes.pushNotSupported]: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  [rpcCodes.unsupportedOperation]: "UNSUPPORTED_OPERATION",
  [rpcCodes.contentNotSupported]: "CONTENT_TYPE_NOT_SUPPORTED",
  [rpcCodes.extendedCardNotConfigured]: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  [rpcCodes.versionNotSupported]: "VERSION_NOT_SUPPORTED",
};

/**
 * Writes a fault as an error object.
 *
 * @param fault What is wrong.
 * @returns With the details that version 1.0 asks for where the code is the protocol's own.
 */
export function faultBody({ code, message }: RpcFault) {
  const reason = reasons[code];
  const type = "type.googleapis.com/google.rpc.ErrorInfo";
  return {
    code,
    message,
    ...(reason === undefined
      ? {}
      : { data: [{ "@type": type, reason, domain: "a2a-protocol.org" }] }),
  };
}
