/** Only the listener sets headers of the connection; with a wrong length a proxy could see two responses in one. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);
