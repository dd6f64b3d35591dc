/**
 * A message, the slot its reply goes to, the mailbox it waits in, the registry of names, and the letters nobody handled.
 *
 *     SendOptions → Message ─(Mailbox)→ handler → ReplySlot
 *
 * It must not know what an agent is, and not how messages travel.
 */
export type { BroadcastFailure, BroadcastReport } from "./broadcast-report.ts";
export { CancelSignal } from "./cancel-signal.ts";
export { ClientSession } from "./client-session.ts";
export type { SessionSink } from "./client-session.ts";
export { deadLetterCountMax, DeadLetters } from "./dead-letters.ts";
export type { DeadLetter, DropCounts } from "./dead-letters.ts";
export type { DropReason } from "./drop-reason.ts";
export type { DeferredReply } from "./deferred-reply.ts";
export { Downs } from "./downs.ts";
export type { AgentDown, DownWatcher } from "./downs.ts";
export { correctionType, evalEventType, evalSeverities, haltType } from "./eval-signal.ts";
export type { EvalEvent, EvalSeverity, EvalSignal } from "./eval-signal.ts";
export { giveReplyHead, httpReply, keepReplyHead, replyHeadOf } from "./http-reply.ts";
export type {
  HttpReplyHeaders,
  HttpReplyOptions,
  HttpReplyPayload,
  ReplyHead,
} from "./http-reply.ts";
export { digestOf, type MessageDigest, oldestTimestampMs } from "./message-digest.ts";
export { Mailbox } from "./mailbox.ts";
export type { MailboxOwner } from "./mailbox.ts";
export { asksForState, isStateRequest, Message, messageInternals } from "./message.ts";
export type {
  AnyMessage,
  MessageHolder,
  MessageInit,
  MessageReceipt,
  TracePoint,
} from "./message.ts";
export type {
  CallOf,
  CastOf,
  CheckedMessages,
  ChunkFor,
  EmittedOf,
  HandleResult,
  MessageOf,
  messagesOf,
  MessageShape,
  PayloadFor,
  ReplyFor,
  ResultOf,
  UntypedMessages,
} from "./message-types.ts";
export { MessageSchemas, messageSchemasOf } from "./message-schemas.ts";
export type { PayloadIssue } from "./message-schemas.ts";
export { isNodeName, nodeNameLengthMax, nodeNamePattern, wantedNodeName } from "./node-name.ts";
export { OpenRequests } from "./open-requests.ts";
export type { OpenRequest } from "./open-requests.ts";
export { Registry } from "./registry.ts";
export type { Address, Registration, RegistryChange, RegistryListener } from "./registry.ts";
export type { CallerGone, CallSlot, ReplySlot, SlotWatcher, StreamSlot } from "./reply-slot.ts";
export { isReservedType, runtimeName } from "./reserved.ts";
export type { OutgoingPayload, SendOptions } from "./send-options.ts";
export type { MessageSpan, OpenSpan, SpanAttributes, SpanKind, SpanStart, Tracer } from "./span.ts";
export { OwnTrace, traceparentOf } from "./span.ts";
export type { SendVerbs } from "./send-verbs.ts";
export { follow, FollowedController, SignalFollower, unfollow } from "./signal-followers.ts";
export type { AgentSchemas, MessagesFrom, SchemaShape, StandardSchema } from "./standard-schema.ts";
