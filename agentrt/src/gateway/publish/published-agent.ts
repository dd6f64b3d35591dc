import type { JsonObject, MessageSchemas } from "../../core/index.ts";
import { toJsonSchema } from "../docs/index.ts";
import { readRecipient, type Recipient, refuseType, shownRecipient } from "../dispatch/index.ts";
import { gatewayErrors } from "../errors.ts";
import type { PublishedAgentConfig } from "./publish-options.ts";

/** An agent as its clients see it. */
export interface PublishedAgent {
  readonly name: string;
  readonly description: string;
  readonly recipient: Recipient;
  readonly mode: "call" | "stream";
  /** Type of the messages that it is sent. */
  readonly type: string;
  /** Member of the payload that holds what is sent as text. */
  readonly textField: string;
  /** JSON Schema of the payload: that of an object. */
  readonly input: JsonObject;
  /** JSON Schema of the reply, or of each part; `undefined` where nobody says. */
  readonly output: JsonObject | undefined;
}

const typeDefault = "http.request";
const nameLengthMax = 128;

/**
 * Makes of the settings what clients see.
 *
 * @param configs In order of declaration.
 * @param of.node Name of the gateway.
 * @param of.schemas What the classes of agents declare, by name of the agent.
 * @returns One each.
 * @throws AGENTRT_GATEWAY_SETTING_INVALID for two of one name, and one of no agent.
 */
export function publishedAgents(
  configs: readonly PublishedAgentConfig[],
  of: { readonly node: string; readonly schemas: ReadonlyMap<string, MessageSchemas> },
): PublishedAgent[] {
  const agents: PublishedAgent[] = [];
  for (const config of configs) {
    const refuse = (reason: string): Error =>
      new gatewayErrors.SETTING_INVALID({ node: of.node, key: "publish.agents", reason });
    const agent = publishedAgent(config, of.schemas.get(config.agent ?? ""), refuse);
    if (agents.some(({ name }) => name === agent.name))
      throw refuse(`has two of the name "${agent.name}": give one of them another name`);
    agents.push(agent);
  }
  return agents;
}

function publishedAgent(
  config: PublishedAgentConfig,
  schemas: MessageSchemas | undefined,
  refuse: (reason: string) => Error,
): PublishedAgent {
  const { mode = "call", type = typeDefault, textField = "text" } = config;
  const recipient = readRecipient(config, (reason) => refuse(`has one where ${reason}`));
  if (refuseType(type) !== undefined)
    throw refuse(`has the message type "${type}", which no client may send`);
  const name = publishedName(config);
  const shape = schemas?.shapeOf(type);
  const { request, response } = config;
  return {
    name,
    description: config.description ?? `The agent "${shownRecipient(config)}"`,
    recipient,
    mode,
    type,
    textField,
    input: objectSchema(request ?? toJsonSchema(shape?.payload, "input") ?? {}),
    output: response ?? toJsonSchema(mode === "stream" ? shape?.chunk : shape?.reply, "output"),
  };
}

/**
 * Names a tool: what the protocols allow is less than what agents may be called.
 *
 * @param config Of the agent.
 */
export function publishedName(config: PublishedAgentConfig): string {
  const name = config.name ?? shownRecipient(config);
  return name.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(0, nameLengthMax);
}

/** A tool takes an object, and its schema has to say so. */
function objectSchema(schema: JsonObject): JsonObject {
  return schema["type"] === "object" ? schema : { ...schema, type: "object" };
}
