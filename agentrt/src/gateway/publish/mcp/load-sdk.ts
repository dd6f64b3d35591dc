import { gatewayErrors } from "../../errors.ts";

/**
 * Loads the protocol's SDK.
 *
 * @param node Name of the gateway.
 * @returns What a server is made of.
 * @throws AGENTRT_GATEWAY_PUBLISH_PACKAGE_MISSING where it is not installed.
 */
export async function loadSdk(node: string) {
  try {
    const [{ Server }, types] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/index.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
    return { Server, types };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new gatewayErrors.PUBLISH_PACKAGE_MISSING({ node }, { cause });
  }
}

/** The SDK as it is loaded. */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;
