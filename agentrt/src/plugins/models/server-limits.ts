/** Longest wait for an answer: Node's `fetch` gives up after it by itself. */
export const modelTimeoutMsMax = 300_000;

/**
 * Says whether a text is the address of a server.
 *
 * @param text Any text.
 * @returns True for an http or https URL without user, password and query.
 */
export function isServerUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}
