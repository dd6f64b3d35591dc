import { agentErrors } from "../errors.ts";
import type { Log } from "../ports/index.ts";
import { type JsonObject, didYouMean, timeoutMsMax } from "../values/index.ts";
import type { Tracer, TracePoint } from "../messages/index.ts";
import {
  type CallKernel,
  CallScope,
  longestWait,
  type ModelMessage,
  type ModelTool,
  type ModelToolCall,
  type PartsInUse,
  type RunningCall,
  type WorkScope,
} from "../llm/index.ts";
import { circuitErrors, type Resilience } from "../resilience/index.ts";
import { toolErrors } from "./errors.ts";
import type { KnownTool, ToolSet } from "./tool-set.ts";
import type { SourceResult, ToolResult } from "./tool-source.ts";
import { useTool } from "./use-tool.ts";
import type { ToolDescription, ToolOptions, Tools } from "./tools.ts";

const defaultTimeoutMs = 60_000;

/** What tools need of the incarnation that uses them. */
export interface ToolUser {
  readonly name: string;
  readonly log: Log;
  readonly isSealed: boolean;
  tracePoint(): TracePoint | undefined;
  scopeOf(own: AbortSignal | null | undefined): WorkScope;
}

/** What tools need of the kernel. */
export interface ToolKernel extends CallKernel {
  /** What agents may use; nothing without it. */
  readonly tools?: ToolSet | undefined;
  /** Which sources have calls that run; none are counted without it. */
  readonly partsInUse?: PartsInUse | undefined;
  /** What is done about calls that fail; nothing without it. */
  readonly resilience?: Resilience | undefined;
  /** Where spans go; without it none are made. */
  readonly tracer?: Tracer | undefined;
  readonly bus: { isolate(value: object): JsonObject };
}

/** `this.tools` of one incarnation: finds the tool, keeps the deadline, ends what runs when the incarnation ends. */
export class AgentTools implements Tools {
  readonly #user: ToolUser;
  readonly #kernel: ToolKernel;
  readonly #running = new Map<CallScope, RunningCall>();

  constructor(user: ToolUser, kernel: ToolKernel) {
    this.#user = user;
    this.#kernel = kernel;
  }

  /** {@inheritDoc Tools.list} */
  list(): ToolDescription[] {
    return this.#known().map(({ name, source, tool }) => ({
      name,
      server: source.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
    }));
  }

  /** {@inheritDoc Tools.forModel} */
  forModel(): ModelTool[] {
    return this.#known().map(({ modelName, tool }) => ({
      name: modelName,
      description: tool.description,
      inputSchema: tool.inputSchema,
    }));
  }

  /** {@inheritDoc Tools.call} */
  async call(name: string, input: JsonObject, options: ToolOptions = {}): Promise<ToolResult> {
    const { content, structured, isError } = await this.#use(name, input, options);
    if (!isError) return structured === undefined ? { content } : { content, structured };
    const reason = typeof content === "string" ? content : JSON.stringify(content);
    throw new toolErrors.FAILED({ tool: name, reason });
  }

  /** {@inheritDoc Tools.answer} */
  async answer(toolCall: ModelToolCall, options: ToolOptions = {}): Promise<ModelMessage> {
    const toolCallId = toolCall.id;
    try {
      const { content, isError } = await this.#use(toolCall.name, toolCall.input, options);
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return { role: "tool", toolCallId, content: text, ...(isError ? { isError } : {}) };
    } catch (error) {
      const isForModel =
        error instanceof toolErrors.UNKNOWN_NAME ||
        error instanceof toolErrors.TIMEOUT ||
        error instanceof toolErrors.UNAVAILABLE ||
        error instanceof circuitErrors.OPEN;
      if (!isForModel) throw error;
      return { role: "tool", toolCallId, content: error.message, isError: true };
    }
  }

  /** Ends every call that runs. */
  end(error: Error): void {
    for (const scope of this.#running.keys()) scope.end(error);
  }

  /** @returns The call that is waited for longest. */
  longestWait(): ReturnType<typeof longestWait> {
    return longestWait(this.#running.values());
  }

  #known(): KnownTool[] {
    return this.#kernel.tools?.list() ?? [];
  }

  async #use(name: string, input: JsonObject, options: ToolOptions): Promise<SourceResult> {
    const agent = this.#user.name;
    if (this.#user.isSealed) throw new agentErrors.STOPPED({ agent });
    const known = this.#kernel.tools?.find(name);
    if (known === undefined) {
      const names = this.#known().map((each) => each.name);
      throw new toolErrors.UNKNOWN_NAME({ agent, tool: name, hint: didYouMean(name, names) });
    }
    const timeoutMs = checkTimeout(name, options.timeoutMs ?? defaultTimeoutMs);
    refuseInput(name, input);
    const isolated = this.#kernel.bus.isolate(input);
    const scope = new CallScope({
      kernel: this.#kernel,
      work: this.#user.scopeOf(options.signal),
      timeoutMs,
      cancelledError: () => new toolErrors.CANCELLED({ tool: name }),
      timeoutError: () => new toolErrors.TIMEOUT({ tool: name, timeoutMs }),
    });
    return await this.#run(known, { input: isolated, scope, timeoutMs });
  }

  async #run(
    known: KnownTool,
    use: { readonly input: JsonObject; readonly scope: CallScope; readonly timeoutMs: number },
  ): Promise<SourceResult> {
    const { source, name } = known;
    const { scope } = use;
    const span = this.#kernel.tracer?.startSpan(source.span?.name ?? "agentrt.tool.invoke", {
      parent: this.#user.tracePoint(),
      kind: source.span === undefined ? "internal" : "client",
      attributes: {
        ...source.span?.attributes,
        "agentrt.agent.name": this.#user.name,
        "agentrt.tool.name": name,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
      },
    });
    const traceparent = span?.traceparent;
    this.#running.set(scope, { name, sinceMs: this.#kernel.system.monotonicMs() });
    this.#kernel.partsInUse?.begin(source);
    try {
      const guard = this.#kernel.resilience?.tools.get(source.name);
      const { log } = this.#user;
      const kernel = this.#kernel;
      const result = await useTool(known, { ...use, traceparent, guard, log, kernel });
      span?.set({ "agentrt.tool.is_error": result.isError });
      span?.end();
      return result;
    } catch (error) {
      span?.end(error);
      throw error;
    } finally {
      this.#running.delete(scope);
      this.#kernel.partsInUse?.end(source);
      scope.close();
    }
  }
}

function checkTimeout(tool: string, timeoutMs: unknown): number {
  if (typeof timeoutMs === "number" && timeoutMs >= 1 && timeoutMs <= timeoutMsMax) {
    return timeoutMs;
  }
  throw new toolErrors.INPUT_INVALID({
    tool,
    place: "timeoutMs",
    found: String(timeoutMs),
    wanted: `a number from 1 to ${timeoutMsMax}`,
  });
}

/** Programs in JavaScript may give anything, or nothing. */
function refuseInput(tool: string, input: unknown): void {
  const isObject = typeof input === "object" && input !== null;
  if (isObject && !Array.isArray(input)) return;
  const found = isObject ? "an array" : `a ${typeof input}`;
  throw new toolErrors.INPUT_INVALID({
    tool,
    place: "input",
    found: input === undefined || input === null ? "nothing" : found,
    wanted: "an object",
  });
}
