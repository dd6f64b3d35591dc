import type { IncomingHttpHeaders } from "node:http2";

/**
 * Undoes that Node keeps the first `authorization` of an HTTP/2 request alone: a proxy may have looked at another one.
 * Joined, as HTTP/1.1 gives them, they are not a credential.
 *
 * @param headers Of a request, as Node gives them; changed where the header is twice.
 * @param rawHeaders Names and values in turn, as they came.
 */
export function joinRepeatedAuthorization(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[] | undefined,
): void {
  if (headers.authorization === undefined || rawHeaders === undefined) return;
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index] === "authorization") values.push(rawHeaders[index + 1] ?? "");
  }
  if (values.length > 1) headers.authorization = values.join(", ");
}
