/** Sessions of the official client with the real process. */
import assert from "node:assert/strict";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { command, firstArgs } from "../../cli/test-support/codetool.ts";

/** A client that is connected. */
export interface Session extends AsyncDisposable {
  readonly client: Client;
  call(
    name: string,
    input: { readonly [key: string]: unknown },
  ): Promise<{ readonly [key: string]: unknown }>;
}

/** Starts a server in a folder, and connects to it. */
export async function connect(
  workingDirectory: string,
  roots?: readonly string[],
): Promise<Session> {
  const capabilities = roots === undefined ? {} : { roots: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((root) => ({ uri: pathToFileURL(root).href, name: root })),
    }));
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  await client.connect(
    new StdioClientTransport({ command, args: [...firstArgs, "mcp"], cwd: workingDirectory, env }),
  );
  return {
    client,
    call: async (name, input) => {
      const result = await client.callTool({ name, arguments: input });
      const [content] = result.content as { readonly type: string; readonly text: string }[];
      assert.equal(content?.type, "text");
      const envelope = JSON.parse(content.text) as { readonly status: string };
      assert.equal(result.isError === true, envelope.status === "error");
      return { ...envelope };
    },
    [Symbol.asyncDispose]: async () => await client.close(),
  };
}
