import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { type JsonObject, didYouMean } from "../../../core/index.ts";
import type { GatewayRequest } from "../../request.ts";
import { type AskPorts, askAgent } from "../ask-agent.ts";
import type { PublishedAgent } from "../published-agent.ts";

/** Characters of all parts of one reply that are repeated in its result; progress has all of them. */
const partsLengthMax = 1_048_576;

/** One call of a tool. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly request: GatewayRequest;
  readonly timeoutMs: number;
  /** Aborted when the client has taken it back, or has gone. */
  readonly signal: AbortSignal;
  /** Tells the client of a part; `count` is its number from 1. */
  readonly onProgress: (count: number, part: string) => Promise<void>;
}

/** Published agents as tools. */
export class AgentTools {
  readonly #agents: ReadonlyMap<string, PublishedAgent>;
  readonly #ports: AskPorts;

  constructor(agents: readonly PublishedAgent[], ports: AskPorts) {
    this.#agents = new Map(agents.map((agent) => [agent.name, agent]));
    this.#ports = ports;
  }

  /** All of them, in order of declaration. */
  list(): Tool[] {
    return [...this.#agents.values()].map((agent) => ({
      name: agent.name,
      description: agent.description,
      inputSchema: agent.input as Tool["inputSchema"],
      ...outputOf(agent),
    }));
  }

  /** @returns What to tell who asks for a tool that is not there; undefined where it is. */
  refusal(name: string): string | undefined {
    if (this.#agents.has(name)) return undefined;
    return `there is no tool "${name}"${didYouMean(name, [...this.#agents.keys()])}`;
  }

  /**
   * Asks the agent behind a tool.
   *
   * @param call Of a tool that is there.
   * @returns The reply; what went wrong is a result too, so that a model can read it.
   */
  async call({ name, input, onProgress, ...asked }: ToolCall): Promise<CallToolResult> {
    const agent = this.#agents.get(name);
    if (agent === undefined) throw new TypeError(`there is no tool "${name}"`);
    const parts: JsonObject[] = [];
    let count = 0;
    let length = 0;
    const answer = await askAgent(
      {
        ...asked,
        agent,
        payload: input,
        onPart: async (part) => {
          const text = JSON.stringify(part);
          count += 1;
          length += text.length;
          if (length <= partsLengthMax || count === 1) parts.push(part);
          await onProgress(count, text);
        },
      },
      this.#ports,
    );
    switch (answer.kind) {
      case "reply":
        return resultOf(answer.reply);
      case "parts": {
        const dropped = count - parts.length;
        return resultOf({ parts, ...(dropped === 0 ? {} : { dropped_count: dropped }) });
      }
      case "failed":
        return {
          isError: true,
          content: [{ type: "text", text: answer.error }],
          _meta: { "agentrt/status": answer.status },
        };
      default:
        return answer satisfies never;
    }
  }
}

/** A reply as an object, and as text for clients that read nothing else. */
function resultOf(reply: JsonObject): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(reply) }], structuredContent: reply };
}

function outputOf({ mode, output }: PublishedAgent): Pick<Tool, "outputSchema"> {
  if (mode === "stream") {
    const properties = {
      parts: { type: "array", items: output ?? { type: "object" } },
      dropped_count: { type: "integer", description: "Parts that are only in the progress" },
    };
    return { outputSchema: { type: "object", properties, required: ["parts"] } };
  }
  // Only the schema of an object may stand here.
  return output?.["type"] === "object"
    ? { outputSchema: output as unknown as Tool["outputSchema"] }
    : {};
}
