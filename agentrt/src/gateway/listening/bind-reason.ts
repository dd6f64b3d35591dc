/**
 * Says why an address could not be bound.
 *
 * @param error What Node reported.
 * @returns Half a sentence.
 */
export function bindReasonOf(error: NodeJS.ErrnoException): string {
  return bindReasons[error.code ?? ""] ?? error.message;
}

const bindReasons: { readonly [code: string]: string } = {
  EADDRINUSE: "another program listens there",
  EACCES: "this user may not open that port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "the host name is unknown",
};
