import { arch, platform, version } from "node:process";
import { type JsonObject, type Message, messageInternals } from "../core/index.ts";
import type { BundleAnswer, BundleMessage, BundleState, CrashBundle } from "./crash-bundle.ts";
import { ErrorParts } from "./error-parts.ts";
import type { Base, NotedAnswer, Recollection, TrailMessage } from "./life-trail.ts";
import { payloadWeightMax, sourceLineLengthMax, stateWeightMax } from "./limits.ts";
import type { Placeholders } from "./placeholders.ts";
import { learnSecrets } from "./shown-crash.ts";
import { sourcesOf } from "./source-lines.ts";
import { weightOf } from "./weight.ts";

/** What a bundle says of the run. */
export interface RunFacts {
  /** Of this program. */
  readonly version: string;
  /** Folder of the topology, absolute. */
  readonly projectFolder: string;
  /** {@inheritDoc CrashBundle.topology_id} */
  readonly topologyId: string;
  /** {@inheritDoc CrashBundle.topology} */
  readonly topology: readonly string[] | null;
  /** Of the folder that the record is in, as the project's folder names it. */
  readonly folder: string;
  /** @returns {@inheritDoc CrashBundle.models} */
  readonly models: () => CrashBundle["models"];
  /** @returns {@inheritDoc CrashBundle.tools} */
  readonly tools: () => readonly object[];
}

/**
 * Makes the record of a crash.
 *
 * @param id Of the crash.
 * @param recollection What the trail of the agent says of it.
 * @param options What is known of the run; what takes secrets out of this record.
 */
export function bundleOf(
  id: string,
  recollection: Recollection,
  { facts, placeholders }: { readonly facts: RunFacts; readonly placeholders: Placeholders },
): CrashBundle {
  const { agent, crash, before, after, messages, answers } = recollection;
  const { error, message, className, redact } = crash;
  learnSecrets(placeholders, crash, recollection);
  const own = crash.state === undefined ? null : stateNow(crash.state, redact);
  const heavy = new Set(messages.filter((each) => !isLight(each.message.payload)));
  const parts = new ErrorParts(facts.projectFolder, placeholders);
  const json = (value: unknown): JsonObject => placeholders.json(value) as JsonObject;
  const stateOf = (base: Base): BundleState => ({
    state: base.state === undefined ? null : json(shown(base.state, redact)),
    ...(base.isMissing ? { too_large: true as const } : {}),
  });
  const messageOf = (each: TrailMessage): BundleMessage => ({
    ...placed(each),
    type: placeholders.text(each.message.type),
    ...(heavy.has(each)
      ? { payload: {}, too_large: true as const }
      : { payload: json(each.message.payload) }),
  });
  const shownMessages = messages.map(messageOf);
  const atHand = messages.findIndex((each) => each.message === message);
  const shownAnswers = answers.map((each) => answerOf(each, { parts, placeholders }));
  const source = sourcesOf(facts.projectFolder, parts.places(error)).map((each) => ({
    ...each,
    lines: each.lines.map(({ line, text }) => ({
      line,
      text: placeholders.text(text).slice(0, sourceLineLengthMax),
    })),
  }));
  return {
    v: 1,
    id,
    agent,
    class: className ?? null,
    timestamp: crash.atMs / 1000,
    versions: { agentrt: facts.version, node: version, platform: `${platform} ${arch}` },
    topology_id: facts.topologyId,
    topology: facts.topology,
    repeat:
      facts.topology === null
        ? null
        : ["sim", ...facts.topology, "--crash", `${facts.folder}/${id}.json`],
    error: parts.crash(error),
    source,
    message: shownMessages[atHand] ?? null,
    checkpoint: { before: stateOf(before), after: stateOf(after) },
    state: own === null ? null : json(own),
    messages: shownMessages,
    answers: shownAnswers,
    models: facts.models(),
    tools: answers.some(({ kind }) => kind === "tool") ? facts.tools().map(json) : [],
    spans: [],
    replay: replayOf(recollection, heavy.size > 0),
  };
}

/** What is larger would hold up the process while its agent crashes. */
function isLight(payload: object): boolean {
  return weightOf(payload, payloadWeightMax) <= payloadWeightMax;
}

/** A state as the class of the agent lets others see it. */
function shown(state: JsonObject, redact: (state: JsonObject) => object): object {
  try {
    return redact(state);
  } catch {
    return { redacted: "redactState failed" };
  }
}

/** A state that is not JSON, or is too large, is left out. */
function stateNow(state: object, redact: (state: JsonObject) => object): object | null {
  try {
    return weightOf(state, stateWeightMax) > stateWeightMax
      ? null
      : shown(state as JsonObject, redact);
  } catch {
    return null;
  }
}

function placed({ sequence, message }: TrailMessage): Omit<BundleMessage, "type" | "payload"> {
  const { id, sender, priority, timestampMs, traceId, spanId, correlationId } = message;
  return {
    sequence,
    id,
    sender,
    verb: verbOf(message),
    priority,
    correlation_id: correlationId,
    timestamp: timestampMs / 1000,
    trace_id: traceId,
    span_id: spanId,
  };
}

function verbOf(message: Message): BundleMessage["verb"] {
  if (message.isStream) return "stream";
  if (messageInternals.replyOf(message) !== undefined) return "call";
  return messageInternals.isCast(message) ? "cast" : "send";
}

function answerOf(
  { kind, name, sequence, request, reply, error, tookMs }: NotedAnswer,
  { parts, placeholders }: { readonly parts: ErrorParts; readonly placeholders: Placeholders },
): BundleAnswer {
  const json = (value: unknown): JsonObject => placeholders.json(value) as JsonObject;
  const end = reply === undefined ? { error: parts.answer(error) } : { reply: json(reply) };
  return {
    kind,
    name,
    sequence,
    request: request === undefined ? null : json(request),
    ...end,
    took_ms: Math.round(tookMs * 1000) / 1000,
  };
}

/** What keeps a replay from being what happened, as far as that is known before. */
function replayOf(recollection: Recollection, isHeavy: boolean): CrashBundle["replay"] {
  const { before, lostMessageCount, hasLostAnswers, missed, crash } = recollection;
  const reasons: string[] = [];
  if (lostMessageCount > 0)
    reasons.push(
      `${lostMessageCount} earlier messages since the checkpoint are not kept: the replay begins with the state at the crash`,
    );
  if (hasLostAnswers) reasons.push("not all answers of models, tools and agents are kept");
  if (before.isMissing) reasons.push("the saved state was too large to be kept");
  if (isHeavy) reasons.push("a payload was too large to be kept");
  for (const what of missed) reasons.push(`${what} is not recorded`);
  if (crash.otherCount > 0)
    reasons.push(`${crash.otherCount} other messages were at hand at the same time`);
  const isLost = lostMessageCount > 0 || before.isMissing;
  return { holds: reasons.length === 0, reasons, from: isLost ? "crash" : "checkpoint" };
}
