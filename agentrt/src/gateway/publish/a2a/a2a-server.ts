import { didYouMean, type JsonObject, type JsonValue } from "../../../core/index.ts";
import type { Route } from "../../chain/index.ts";
import { eventStreamHeaders } from "../../dispatch/index.ts";
import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../request.ts";
import type { AskPorts } from "../ask-agent.ts";
import { ownerOf } from "../owner.ts";
import type { PublishedAgent } from "../published-agent.ts";
import type { PublishLimits, PublishOptions } from "../publish-options.ts";
import type { SuspensionPorts } from "../suspension-ports.ts";
import { TextQueue } from "../text-queue.ts";
import { agentCard } from "./agent-card.ts";
import { idIn, isObject, readMessage, type SentMessage } from "./read-message.ts";
import { faultBody, rpcCodes, RpcFault } from "./rpc-fault.ts";
import { pageOfTasks } from "./task-pages.ts";
import type { Task } from "./task.ts";
import { TaskRuns } from "./task-runs.ts";
import { type TaskFilter, TaskStore } from "./task-store.ts";
import { type A2aVersion, eventBody, taskBody, wrappedTask } from "./wire.ts";

/** What a server is made of. */
export interface A2aServerInit extends AskPorts {
  readonly agents: readonly PublishedAgent[];
  readonly publish: PublishOptions;
  readonly limits: PublishLimits;
  readonly info: { readonly name: string; readonly version: string };
  readonly a2aPath: string;
  readonly guards: readonly string[];
  /** How long a client that waits for a task is kept waiting, milliseconds; then it gets the task as it is. */
  readonly requestTimeoutMs: number;
  readonly isTls: boolean;
  readonly suspensions: SuspensionPorts | undefined;
}

/** One request of JSON-RPC. */
interface Call {
  readonly method: string;
  readonly params: JsonObject;
  readonly version: A2aVersion;
  readonly request: GatewayRequest;
  /** The agent that its path names; undefined for that of all. */
  readonly agent: PublishedAgent | undefined;
  readonly filter: TaskFilter;
}

type Result = { readonly result: JsonValue } | { readonly events: Task; readonly last?: boolean };

/** Events of one stream that wait for its client at most; a client that is slower has to ask for the task. */
const eventCountMax = 1_000;
const cardPath = "/.well-known/agent-card.json";
const cardHeaders = { "cache-control": "private, max-age=60" };
const versionHeader = "a2a-version";

/** The methods of 0.3 by their names in 1.0. */
const methods: { readonly [name: string]: { readonly is: string; readonly version: A2aVersion } } =
  Object.fromEntries(
    [
      ["SendMessage", "message/send"],
      ["SendStreamingMessage", "message/stream"],
      ["GetTask", "tasks/get"],
      ["CancelTask", "tasks/cancel"],
      ["SubscribeToTask", "tasks/resubscribe"],
      ["ListTasks", undefined],
      ["GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard"],
      ["CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set"],
      ["GetTaskPushNotificationConfig", "tasks/pushNotificationConfig/get"],
      ["ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/list"],
      ["DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete"],
    ].flatMap(([is = "", old]) => [
      [is, { is, version: "1.0" }],
      ...(old === undefined ? [] : [[old, { is, version: "0.3" }]]),
    ]),
  );

/** Published agents over the Agent2Agent protocol: its cards, and its JSON-RPC in the versions 1.0 and 0.3. */
export class A2aServer {
  readonly #init: A2aServerInit;
  readonly #tasks: TaskStore;
  readonly #runs: TaskRuns;
  readonly #agents: ReadonlyMap<string, PublishedAgent>;

  constructor(init: A2aServerInit) {
    this.#init = init;
    const { system, limits, agents, suspensions } = init;
    this.#agents = new Map(agents.map((agent) => [agent.name, agent]));
    this.#tasks = new TaskStore(system, limits);
    const { taskTimeoutMs } = limits;
    this.#runs = new TaskRuns({ ports: init, tasks: this.#tasks, suspensions, taskTimeoutMs });
  }

  /** One path for all agents, and one for each. */
  routes(): Pick<Route, "method" | "path" | "handle">[] {
    const { a2aPath } = this.#init;
    const base = a2aPath.replace(/\/$/, "");
    const named = (
      request: GatewayRequest,
      serve: (agent: PublishedAgent) => GatewayResponse | Promise<GatewayResponse>,
    ): GatewayResponse | Promise<GatewayResponse> => {
      const name = request.pathParams["agent"] ?? "";
      const agent = this.#agents.get(name);
      if (agent !== undefined) return serve(agent);
      const hint = didYouMean(name, [...this.#agents.keys()]);
      return errorResponse(404, `no agent '${name}' is published${hint}`);
    };
    return [
      { method: "GET", path: cardPath, handle: async (request) => this.#card(request, undefined) },
      {
        method: "GET",
        path: `${base}/{agent}${cardPath}`,
        handle: async (request) => named(request, (agent) => this.#card(request, agent)),
      },
      {
        method: "POST",
        path: base === "" ? "/" : base,
        handle: (request) => this.#answer(request, undefined),
      },
      {
        method: "POST",
        path: `${base}/{agent}`,
        handle: async (request) => await named(request, (agent) => this.#answer(request, agent)),
      },
    ];
  }

  /** Ends all work. */
  close(): void {
    this.#runs.close();
  }

  #card(request: GatewayRequest, agent: PublishedAgent | undefined): GatewayResponse {
    const { publish, info, isTls, a2aPath, agents, guards } = this.#init;
    const origin =
      publish.url ?? `${isTls ? "https" : "http"}://${request.authority ?? "localhost"}`;
    const base = `${origin.replace(/\/$/, "")}${a2aPath.replace(/\/$/, "")}`;
    const of =
      agent === undefined
        ? {
            name: info.name,
            description:
              publish.description ?? agents.map(({ description }) => description).join("\n"),
            url: base === origin ? `${base}/` : base,
            agents,
          }
        : {
            name: agent.name,
            description: agent.description,
            url: `${base}/${agent.name}`,
            agents: [agent],
          };
    const card = agentCard({ ...of, version: info.version, guards });
    return { status: 200, body: card, headers: cardHeaders };
  }

  async #answer(
    request: GatewayRequest,
    agent: PublishedAgent | undefined,
  ): Promise<GatewayResponse> {
    const { id: sentId = null } = request.body;
    const id = typeof sentId === "string" || typeof sentId === "number" ? sentId : null;
    try {
      const call = this.#read(request, agent);
      const result = await this.#serve(call);
      if ("events" in result) return this.#stream(result.events, call, id);
      return { status: 200, body: { jsonrpc: "2.0", id, result: result.result } };
    } catch (error) {
      const fault = error instanceof RpcFault ? error : this.#unknown(error, request);
      return { status: 200, body: { jsonrpc: "2.0", id, error: faultBody(fault) } };
    }
  }

  #unknown(error: unknown, { clientIp: client }: GatewayRequest): RpcFault {
    this.#init.log.error("A request over A2A failed", { error, client });
    return new RpcFault(rpcCodes.internal, "internal error");
  }

  #read(request: GatewayRequest, agent: PublishedAgent | undefined): Call {
    const { jsonrpc, method, params = {} } = request.body;
    if (jsonrpc !== "2.0" || typeof method !== "string")
      throw new RpcFault(rpcCodes.invalidRequest, "the body is not a request of JSON-RPC 2.0");
    const spoken = request.headers[versionHeader] ?? request.queryParams["A2A-Version"] ?? "";
    if (spoken !== "" && !/^(?:1\.0|0\.3)(?:\.\d+)?$/.test(spoken)) {
      const reason = `version "${spoken}" is not spoken here, wanted 1.0 or 0.3`;
      throw new RpcFault(rpcCodes.versionNotSupported, reason);
    }
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (known === undefined) {
      const hint = didYouMean(method, Object.keys(methods));
      throw new RpcFault(rpcCodes.methodNotFound, `there is no method "${method}"${hint}`);
    }
    if (!isObject(params)) throw new RpcFault(rpcCodes.invalidParams, "params is not an object");
    const filter = { owner: ownerOf(request), agent: agent?.name };
    return { method: known.is, version: known.version, params, request, agent, filter };
  }

  async #serve(call: Call): Promise<Result> {
    const { method, params, version, filter } = call;
    switch (method) {
      case "SendMessage":
        return { result: wrappedTask(await this.#send(call), version) };
      case "SendStreamingMessage":
        return { events: this.#begin(call) };
      case "GetTask": {
        const task = this.#tasks.get(idIn(params, "id"), filter);
        return { result: taskBody(task, { version, historyLength: lengthIn(params) }) };
      }
      case "ListTasks":
        return { result: pageOfTasks(params, (more) => this.#tasks.list({ ...filter, ...more })) };
      case "CancelTask":
        return { result: this.#cancel(call) };
      case "SubscribeToTask": {
        const task = this.#tasks.get(idIn(params, "id"), filter);
        if (task.isOver)
          throw new RpcFault(rpcCodes.unsupportedOperation, `the task is ${task.state}`);
        return { events: task };
      }
      case "GetExtendedAgentCard":
        throw version === "1.0"
          ? new RpcFault(rpcCodes.unsupportedOperation, "there is no extended agent card")
          : new RpcFault(rpcCodes.extendedCardNotConfigured, "there is no extended agent card");
      default:
        throw new RpcFault(rpcCodes.pushNotSupported, "push notifications are not sent");
    }
  }

  async #send(call: Call): Promise<JsonObject> {
    const { params, version, request } = call;
    const task = this.#begin(call);
    const configuration = isObject(params["configuration"]) ? params["configuration"] : {};
    const { returnImmediately, blocking } = configuration;
    if (returnImmediately !== true && blocking !== false) {
      const { system, requestTimeoutMs } = this.#init;
      const late = new AbortController();
      const timer = system.setTimer(requestTimeoutMs, () => late.abort());
      await task.settled(AbortSignal.any([request.signal, late.signal]));
      system.clearTimer(timer);
    }
    return taskBody(task, { version, historyLength: lengthIn(configuration) });
  }

  #begin(call: Call): Task {
    const message = readMessage(call.params);
    if (message.taskId !== undefined) this.#refuseMore(message.taskId, call);
    const { messageId, parts, contextId } = message;
    const task = this.#tasks.begin({
      contextId: contextId ?? this.#init.system.nextTraceId(),
      owner: call.filter.owner,
      agent: call.agent ?? this.#chosen(message, call),
      message: { messageId, role: "user", parts },
    });
    this.#runs.start(task, call.request);
    return task;
  }

  /** Each message is a task: an agent that waits for a person is answered by an operator, and not by its client. */
  #refuseMore(taskId: string, { filter }: Call): never {
    const { state } = this.#tasks.get(taskId, filter);
    const reason = `the task is ${state} and takes no further message: begin another in its context`;
    throw new RpcFault(rpcCodes.unsupportedOperation, reason);
  }

  /** The agent for a message to the path of all. */
  #chosen({ metadata }: SentMessage, { params }: Call): PublishedAgent {
    const { agents, a2aPath } = this.#init;
    const [only] = agents;
    if (only !== undefined && agents.length === 1) return only;
    const ofRequest = isObject(params["metadata"]) ? params["metadata"] : {};
    const name = metadata["skillId"] ?? ofRequest["skillId"];
    const names = agents.map((agent) => agent.name);
    const found = typeof name === "string" ? this.#agents.get(name) : undefined;
    if (found !== undefined) return found;
    const hint = typeof name === "string" ? didYouMean(name, names) : "";
    const reason = `metadata.skillId is none of ${names.join(", ")}${hint}; or send to ${a2aPath}/<agent>`;
    throw new RpcFault(rpcCodes.invalidParams, reason);
  }

  #cancel({ params, version, filter }: Call): JsonObject {
    const task = this.#tasks.get(idIn(params, "id"), filter);
    if (task.isOver) throw new RpcFault(rpcCodes.taskNotCancelable, `the task is ${task.state}`);
    task.enter("canceled");
    task.cancelling.abort();
    return taskBody(task, { version });
  }

  #stream(task: Task, { version }: Call, id: string | number | null): GatewayResponse {
    let waitingCount = 0;
    const queue = new TextQueue(1, () => leave());
    const send = (result: JsonObject): void => {
      waitingCount += 1;
      void queue
        .push(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`)
        .then(() => (waitingCount -= 1));
    };
    const leave = task.listen((event) => {
      if (waitingCount >= eventCountMax) {
        leave();
        queue.end();
        return;
      }
      send(eventBody(event, task, version));
      if (!task.isOver) return;
      leave();
      queue.end();
    });
    send(wrappedTask(taskBody(task, { version }), version));
    if (task.isOver) {
      leave();
      queue.end();
    }
    return { status: 200, body: undefined, headers: eventStreamHeaders, stream: queue };
  }
}

function lengthIn(params: JsonObject): number | undefined {
  const { historyLength } = params;
  if (historyLength === undefined || historyLength === null) return undefined;
  if (Number.isInteger(historyLength) && Number(historyLength) >= 0) return Number(historyLength);
  throw new RpcFault(rpcCodes.invalidParams, "historyLength is not a whole number of 0 or more");
}
