import type { FlagSpec } from "./command.ts";
import { cliErrors } from "./errors.ts";

/** `--header` of the commands that ask something of a running topology. */
export const headerFlag: FlagSpec = {
  name: "header",
  short: "H",
  value: "Name: Value",
  summary: "header to send",
  isRepeatable: true,
};

/**
 * Reads `Name: Value` texts, as `--header` takes them.
 *
 * @param texts One header each; the value begins after the first colon.
 * @returns The headers.
 * @throws AGENTRT_CLI_HEADER_INVALID when one has no colon, or holds what HTTP does not allow.
 */
export function parseHeaders(texts: readonly string[]): Headers {
  const headers = new Headers();
  for (const text of texts) {
    const colon = text.indexOf(":");
    try {
      if (colon < 1) throw new TypeError("there is no colon after a name");
      headers.append(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
    } catch (cause) {
      const header = JSON.stringify(colon < 1 ? text : text.slice(0, colon));
      throw new cliErrors.HEADER_INVALID({ header }, { cause });
    }
  }
  return headers;
}
