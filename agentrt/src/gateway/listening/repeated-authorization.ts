import type { IncomingHttpHeaders } from "node:http2";

/**
 * Joins repeated `authorization` headers of an HTTP/2 request, as HTTP/1.1 does. Node keeps only the first one, but a
 * proxy may have checked another one. The joined text is not a valid credential, so the request is refused.
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
