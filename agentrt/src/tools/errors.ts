import { defineErrors } from "../core/index.ts";

/** Errors of tool servers that keep a runtime from starting. */
export const mcpErrors = defineErrors("AGENTRT_MCP", {
  PACKAGE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { server: string }) =>
      `Cannot use tool server "${d.server}": the package "@modelcontextprotocol/sdk" is not installed`,
    remedy: "npm install @modelcontextprotocol/sdk",
  },
});
