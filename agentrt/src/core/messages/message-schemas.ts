import { agentErrors, busErrors } from "../errors.ts";
import { reasonOf } from "../values/index.ts";
import type {
  AgentSchemas,
  SchemaIssue,
  SchemaResult,
  SchemaShape,
  StandardSchema,
} from "./standard-schema.ts";

/** What is wrong with a payload, and where: `payload.lines[2].count`. */
export interface PayloadIssue {
  readonly path: string;
  readonly message: string;
}

/** A payload on its way to an agent that has schemas. */
interface CheckedPayload {
  readonly address: string;
  readonly type: string;
  readonly payload: object;
}

/** Most issues of one payload in an error; a client could bring about any number. */
const issueCountMax = 20;
const issueLengthMax = 200;
const parts = ["payload", "reply", "chunk"] as const;

/** The schemas of one class of agents, read once. */
export class MessageSchemas {
  readonly #single: SchemaShape | undefined;
  readonly #byType: ReadonlyMap<string, SchemaShape>;

  /**
   * @param agent Name of the agent, for the error.
   * @param schemas What its class declares.
   * @throws AGENTRT_AGENT_OPTION_INVALID for what is not a Standard Schema.
   */
  constructor(agent: string, schemas: AgentSchemas) {
    const isSingle = parts.some((part) => Object.hasOwn(schemas, part));
    this.#single = isSingle ? readShape(agent, "schemas", schemas) : undefined;
    this.#byType = new Map(
      isSingle
        ? []
        : Object.entries(schemas).map(([type, given]) => [
            type,
            readShape(agent, `schemas.${type}`, isSchema(given) ? { payload: given } : given),
          ]),
    );
  }

  /** The message types with a separate shape each; empty where one shape is for all. */
  get types(): readonly string[] {
    return [...this.#byType.keys()];
  }

  /** @returns The schemas of a message type; undefined when it has none. */
  shapeOf(type: string): SchemaShape | undefined {
    return this.#single ?? this.#byType.get(type);
  }

  /**
   * Checks a payload.
   *
   * @returns What the schema made of it: defaults filled in, text turned into numbers. The same for a type without one.
   * @throws AGENTRT_BUS_PAYLOAD_INVALID; AGENTRT_AGENT_SCHEMA_FAILED when the schema itself fails.
   */
  check({ address, type, payload }: CheckedPayload): object {
    const schema = this.shapeOf(type)?.payload;
    if (schema === undefined) return payload;
    let result: SchemaResult<unknown>;
    try {
      result = validateNow(schema, payload);
    } catch (error) {
      const details = { agent: address, type, reason: reasonOf(error) };
      throw new agentErrors.SCHEMA_FAILED(details, { cause: error });
    }
    if (result.issues === undefined) return result.value as object;
    const issues = result.issues.slice(0, issueCountMax).map(issueOf);
    const issueCount = result.issues.length;
    throw new busErrors.PAYLOAD_INVALID({ address, type, issues, issueCount });
  }
}

const schemasOfClass = new WeakMap<object, MessageSchemas>();

/**
 * Reads the schemas of a class.
 *
 * @param agent Name of the agent, for the error.
 * @param agentClass Its class.
 * @returns Undefined when it declares none.
 * @throws AGENTRT_AGENT_OPTION_INVALID for what is not a Standard Schema.
 */
export function messageSchemasOf(agent: string, agentClass: object): MessageSchemas | undefined {
  const { schemas } = agentClass as { readonly schemas?: AgentSchemas | undefined };
  if (schemas === undefined) return undefined;
  let read = schemasOfClass.get(schemas);
  if (read === undefined) schemasOfClass.set(schemas, (read = new MessageSchemas(agent, schemas)));
  return read;
}

function validateNow(schema: StandardSchema, value: object): SchemaResult<unknown> {
  const result = schema["~standard"].validate(value);
  if (!("then" in result)) return result;
  result.then(undefined, () => undefined);
  throw new TypeError("it gives no answer at once: it is asynchronous, or its code threw");
}

function readShape(agent: string, option: string, given: unknown): SchemaShape {
  const wanted = "a Standard Schema, or payload, reply and chunk with one each";
  if (typeof given !== "object" || given === null) {
    throw new agentErrors.OPTION_INVALID({ agent, option, found: reasonOf(given), wanted });
  }
  for (const [part, schema] of Object.entries(given)) {
    if (isSchema(schema) && (parts as readonly string[]).includes(part)) continue;
    const found = isSchema(schema) ? "not a part of a message" : "not a Standard Schema";
    throw new agentErrors.OPTION_INVALID({ agent, option: `${option}.${part}`, found, wanted });
  }
  return given;
}

/** Some libraries make functions. */
function isSchema(value: unknown): value is StandardSchema {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof (value as Partial<StandardSchema>)["~standard"]?.validate === "function"
  );
}

function issueOf({ path = [], message }: SchemaIssue): PayloadIssue {
  const steps = path.map((step) => {
    const key = typeof step === "object" ? step.key : step;
    if (typeof key === "number") return `[${key}]`;
    const name = String(key);
    return /^[\w$]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return { path: shorten(`payload${steps.join("")}`), message: shorten(message) };
}

function shorten(text: string): string {
  return text.length > issueLengthMax ? `${text.slice(0, issueLengthMax - 3)}...` : text;
}
