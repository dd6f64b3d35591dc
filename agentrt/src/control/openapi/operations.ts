import type { JsonObject } from "../../core/index.ts";
import { anyObject, count, filledText, list, object, oneOf, ref, text } from "./shapes.ts";

/** What the description says of one route. */
export interface Operation {
  /** `GET /agents/{name}`: method and path without prefix. */
  readonly route: string;
  readonly summary: string;
  /** Schemas of what the query may hold. */
  readonly query?: { readonly [name: string]: JsonObject };
  /** Schema of the body; without it the route takes none. */
  readonly body?: JsonObject;
  /** True where `follow=true` asks for server-sent events instead. */
  readonly canFollow?: boolean;
  /** Status of an answer that did what was asked, and its schema, its content type, or null for no content. Default 200. */
  readonly answers: { readonly [status: string]: JsonObject | string | null };
  /** Further statuses, whose bodies are `{"error"}`. 401 and 403 are every gated route's. */
  readonly refusals?: readonly (400 | 404 | 409 | 413 | 415 | 503)[];
  /** True where no middleware is in front. */
  readonly isUngated?: boolean;
}

const note: JsonObject = { type: "string", maxLength: 4096 };
const acting = { body: object({ "reason?": filledText }), refusals: [400, 404, 409, 503] } as const;

const sentFile = { "topology?": text, "name?": { type: "string", minLength: 1 } } as const;
const sentTopology = object({ ...sentFile, "files?": list(object(sentFile)) });

/** Every route of the control plane, in the order of the reference. */
export const operations: readonly Operation[] = [
  {
    route: "GET /health",
    summary: "Whether all of the tree runs",
    answers: { 200: ref("Health") },
    isUngated: true,
  },
  {
    route: "GET /ready",
    summary: "Whether clients may come",
    answers: { 200: ref("Ready"), 503: ref("Ready") },
    isUngated: true,
  },
  {
    route: "GET /topology",
    summary: "The tree; nothing where none of it has changed since the revision that is named",
    query: { since: text },
    answers: { 200: ref("TreeNode"), 204: null },
  },
  {
    route: "GET /topology/openapi.json",
    summary: "This document",
    answers: { 200: anyObject },
  },
  {
    route: "GET /snapshot",
    summary:
      "Counters of each agent, or of those that are named, budgets, circuits and the latest restarts",
    query: { agent: text },
    answers: { 200: ref("Snapshot") },
  },
  {
    route: "GET /metrics",
    summary: "The counters in the text format of Prometheus",
    answers: { 200: "text/plain; version=0.0.4" },
  },
  {
    route: "GET /processes",
    summary: "The processes that the tree runs in",
    answers: { 200: ref("Processes") },
  },
  {
    route: "GET /traces",
    summary: "The traces that are still known, newest first",
    query: {
      limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
      before: text,
      agent: text,
      status: oneOf("ok", "error"),
      min_duration: { type: "string", pattern: String.raw`^\d{1,9}(\.\d{1,9})?$`, default: "0" },
    },
    answers: { 200: ref("Traces") },
    refusals: [400, 503],
  },
  {
    route: "GET /traces/{id}",
    summary: "The spans of a trace that are still known",
    answers: { 200: ref("Trace") },
    refusals: [404, 503],
  },
  {
    route: "GET /dead-letters",
    summary: "The latest messages that nobody handled",
    answers: { 200: ref("DeadLetters") },
  },
  {
    route: "POST /dead-letters/{id}/replay",
    summary: "Sends a message again that nobody handled, once",
    body: object({}),
    answers: { 202: ref("Replayed") },
    refusals: [400, 404, 409, 503],
  },
  {
    route: "GET /overview",
    summary: "A row for each agent, pool and keyed agent, or for those that are named",
    query: { agent: text },
    answers: { 200: ref("Overview") },
  },
  {
    route: "GET /logs",
    summary:
      "The latest log lines of all agents; with follow those that come, as server-sent events",
    query: { limit: { ...count, minimum: 1, maximum: 1000, default: 1000 } },
    canFollow: true,
    answers: { 200: ref("Logs") },
    refusals: [400, 503],
  },
  { route: "GET /agents", summary: "All agents", answers: { 200: list(ref("Agent")) } },
  {
    route: "GET /agents/{name}",
    summary: "One agent: what it is, what it has at hand, what waits for it, how it crashed last",
    answers: { 200: ref("AgentDetail") },
    refusals: [404],
  },
  {
    route: "GET /agents/{name}/history",
    summary: "Its latest starts, crashes, suspensions and restarts",
    answers: { 200: ref("History") },
    refusals: [404],
  },
  {
    route: "GET /agents/{name}/state",
    summary: "Its state, without secrets",
    answers: { 200: ref("State") },
    refusals: [404, 409],
  },
  {
    route: "GET /agents/{name}/logs",
    summary: "Its latest log lines; with follow those that come, as server-sent events",
    query: { limit: { ...count, minimum: 1, maximum: 1000, default: 1000 } },
    canFollow: true,
    answers: { 200: ref("Logs") },
    refusals: [400, 404, 503],
  },
  {
    route: "GET /crashes",
    summary: "The latest crashes",
    answers: { 200: ref("Crashes") },
  },
  {
    route: "GET /crashes/{id}",
    summary: "One crash, with causes, stack and the message at hand",
    answers: { 200: ref("Crash") },
    refusals: [404],
  },
  {
    route: "GET /events",
    summary:
      "What happens, as server-sent events; Last-Event-ID goes on where a client was cut off",
    query: {
      agent: text,
      type: text,
      recent: { ...count, maximum: 1000 },
      follow: { type: "boolean", default: true },
      last_event_id: text,
    },
    answers: { 200: "text/event-stream" },
    refusals: [400, 503],
  },
  {
    route: "GET /agents/{name}/mailbox",
    summary: "What waits for an agent, without payloads",
    query: { limit: { ...count, maximum: 10_000, default: 100 } },
    answers: { 200: ref("Mailbox") },
    refusals: [400, 404, 409],
  },
  {
    route: "GET /agents/{name}/keys",
    summary: "The keys of a keyed agent that are there, in their order",
    query: {
      limit: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
      after: text,
      contains: text,
      status: text,
    },
    answers: { 200: ref("Keys") },
    refusals: [400, 404, 503],
  },
  {
    route: "GET /approvals",
    summary: "What agents asked people to approve, oldest first",
    query: {
      agent: text,
      status: oneOf("pending", "approved", "denied", "expired"),
      after: text,
      limit: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
    },
    answers: { 200: ref("Approvals") },
    refusals: [400],
  },
  {
    route: "GET /approvals/{id}",
    summary: "One approval",
    answers: { 200: ref("Approval") },
    refusals: [404],
  },
  {
    route: "POST /approvals/{id}/approve",
    summary: "Approves what an agent asked for: that one, once",
    body: object({ "note?": note, "payload?": anyObject }),
    answers: { 200: ref("Approval") },
    refusals: [400, 404, 409, 503],
  },
  {
    route: "POST /approvals/{id}/deny",
    summary: "Denies what an agent asked for: that one, once",
    body: object({ "note?": note }),
    answers: { 200: ref("Approval") },
    refusals: [400, 404, 409, 503],
  },
  {
    route: "POST /agents/{name}/suspend",
    summary: "Lets an agent wait behind the message at hand",
    ...acting,
    body: object({
      "reason?": filledText,
      "category?": oneOf("other", "hitl_approval", "governance_pause"),
    }),
    answers: { 200: ref("Requested") },
  },
  {
    route: "POST /agents/{name}/drain",
    summary: "Lets an agent finish what it has, and take nothing new until a resume",
    ...acting,
    body: object({ "reason?": filledText }),
    answers: { 200: ref("Requested") },
  },
  {
    route: "POST /agents/{name}/resume",
    summary:
      "Lets a suspended agent go on; one that waits for an approval only where that is named",
    ...acting,
    body: object({ "approval?": { type: "string", minLength: 1 } }),
    answers: { 200: ref("ResumeRequested") },
  },
  {
    route: "POST /agents/{name}/restart",
    summary: "Makes a new incarnation of an agent",
    ...acting,
    answers: { 200: ref("Requested") },
  },
  {
    route: "POST /agents/{name}/mailbox",
    summary: "Puts a message into the mailbox of an agent",
    ...acting,
    body: object({ "type?": { type: "string", minLength: 1 }, "payload?": anyObject }),
    answers: { 202: ref("Injected") },
  },
  {
    route: "POST /agents/{name}/mailbox/{id}/drop",
    summary: "Takes a message out of the mailbox of an agent: it is not handled",
    body: object({}),
    answers: { 200: ref("Dropped") },
    refusals: [400, 404, 409],
  },
  {
    route: "POST /plan",
    summary: "What another topology would change in the tree that runs",
    body: sentTopology,
    answers: { 200: ref("Plan") },
    refusals: [400, 409, 503],
  },
  {
    route: "POST /apply",
    summary: "Puts another topology in place of the one that runs",
    body: sentTopology,
    answers: { 200: ref("Apply"), 202: ref("Apply") },
    refusals: [400, 409, 503],
  },
  {
    route: "GET /apply",
    summary: "What became of the latest apply",
    answers: { 200: ref("Apply") },
  },
  {
    route: "GET /console",
    summary: "The console, for browsers",
    answers: { 200: "text/html; charset=utf-8" },
    isUngated: true,
  },
  {
    route: "GET /console/console.js",
    summary: "What the console runs",
    answers: { 200: "text/javascript; charset=utf-8" },
    isUngated: true,
  },
  {
    route: "GET /console/console.css",
    summary: "How the console looks",
    answers: { 200: "text/css; charset=utf-8" },
    isUngated: true,
  },
  {
    route: "GET /console/session",
    summary: "Who is signed in at the console, by its cookie",
    answers: { 200: ref("ConsoleSession") },
    isUngated: true,
  },
  {
    route: "POST /console/session",
    summary: "Signs in at the console: the credentials of the request become those of a cookie",
    answers: { 200: ref("ConsoleSession") },
  },
  {
    route: "DELETE /console/session",
    summary: "Signs out of the console",
    answers: { 200: ref("ConsoleSession") },
    isUngated: true,
  },
];
