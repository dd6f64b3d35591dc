import {
  copyJson,
  type CrashTrail,
  type JsonObject,
  type Message,
  type NotedCrash,
  type TrailAnswer,
  type TrailCrash,
} from "../core/index.ts";
import { answerCountMax, answerWeightMax, stateWeightMax } from "./limits.ts";
import { ReplyRing } from "./reply-ring.ts";
import type { TrailRoom } from "./trail-room.ts";
import { WeighedRing } from "./weighed-ring.ts";
import { weightOf } from "./weight.ts";

/** Most sorts of what cannot be repeated that are named. */
const missedCountMax = 8;

/** A state, and after how many messages of the life it was the agent's. */
export interface Base {
  readonly sequence: number;
  /** Undefined where none was saved. */
  readonly state: JsonObject | undefined;
  /** True for one that was too large to be kept, or had no room. */
  readonly isMissing: boolean;
  /** Room that it takes. */
  readonly weight: number;
}

/** A message that was handled. */
export interface TrailMessage {
  /** The first of a life is 1. */
  readonly sequence: number;
  readonly message: Message;
}

/** An answer that came while a message was handled. */
export interface NotedAnswer {
  readonly kind: "model" | "tool" | "agent";
  readonly name: string;
  /** Undefined where it is not kept. */
  readonly request?: object | undefined;
  readonly reply?: object | undefined;
  readonly error?: unknown;
  /** 0 where it is not measured. */
  readonly tookMs: number;
  /** Of the latest message at that moment; 0 before the first. */
  readonly sequence: number;
  /** Tells which of two answers came first. */
  readonly order: number;
}

/** All that a trail says of a crash. */
export interface Recollection {
  readonly agent: string;
  readonly crash: TrailCrash;
  /** The state before the message at hand, as it was saved. */
  readonly before: Base;
  /** As it was saved last. */
  readonly after: Base;
  /** Those since `before`, oldest first; the last is the one at hand where there is one. */
  readonly messages: readonly TrailMessage[];
  /** Those since `before` that are not kept. */
  readonly lostMessageCount: number;
  readonly answers: readonly NotedAnswer[];
  readonly hasLostAnswers: boolean;
  readonly missed: readonly string[];
}

/** What all trails of a process share. */
export interface TrailHome {
  readonly room: TrailRoom;
  /** @returns What is left of the crash. */
  record(recollection: Recollection): NotedCrash;
}

const nothing: Base = { sequence: 0, state: undefined, isMissing: false, weight: 0 };

/** Remembers one life: a ring of its latest messages, the answers that it got, and the states that it saved. */
export class LifeTrail implements CrashTrail {
  readonly #agent: string;
  readonly #home: TrailHome;
  readonly #messages: WeighedRing<Message>;
  #count = 0;
  /** Answers with what they weigh, oldest first. */
  #answers: { readonly answer: NotedAnswer; readonly weight: number }[] | undefined;
  #answerWeight = 0;
  #hasLostAnswers = false;
  /** Made with the first call of another agent. */
  #replies: ReplyRing | undefined;
  #answerCount = 0;
  #missed: Set<string> | undefined;
  #before: Base = nothing;
  #after: Base = nothing;
  /** What comes after the end is not kept: nobody would give its room back. */
  #isOver = false;

  constructor(agent: string, home: TrailHome) {
    this.#agent = agent;
    this.#home = home;
    this.#messages = new WeighedRing(home.room);
  }

  /** {@inheritDoc CrashTrail.handle} */
  handle(message: Message): void {
    this.#count += 1;
    this.#messages.add(message, message.payload);
  }

  /** {@inheritDoc CrashTrail.answered} */
  answered(answer: TrailAnswer): void {
    if (this.#isOver) return;
    const { kind, name, request, reply, error, tookMs } = answer;
    const weight = 64 + weightOf(request, answerWeightMax) + weightOf(reply, answerWeightMax);
    if (weight > answerWeightMax) {
      this.#hasLostAnswers = true;
      return;
    }
    const answers = (this.#answers ??= []);
    while (answers.length >= answerCountMax || this.#answerWeight + weight > answerWeightMax) {
      // What came before the first message is asked for again whenever the agent starts.
      const at = Math.max(
        0,
        answers.findIndex(({ answer: { sequence } }) => sequence > 0),
      );
      this.#drop(answers.splice(at, 1));
      this.#hasLostAnswers = true;
    }
    if (!this.#home.room.take(weight)) {
      this.#hasLostAnswers = true;
      return;
    }
    this.#answerWeight += weight;
    const at = { sequence: this.#count, order: (this.#answerCount += 1) };
    const noted = { kind, name, request, reply, error, tookMs, ...at };
    answers.push({ answer: noted, weight });
  }

  /** {@inheritDoc CrashTrail.replied} */
  replied(name: string, value: JsonObject | Error): void {
    this.#answerCount += 1;
    const replies = (this.#replies ??= new ReplyRing(this.#home.room));
    replies.add(name, value, this.#count, this.#answerCount);
  }

  #drop(gone: readonly { readonly weight: number }[]): void {
    const weight = gone.reduce((sum, each) => sum + each.weight, 0);
    this.#answerWeight -= weight;
    this.#home.room.free(weight);
  }

  /** {@inheritDoc CrashTrail.missed} */
  missed(what: string): void {
    const missed = (this.#missed ??= new Set());
    if (missed.size < missedCountMax) missed.add(what);
  }

  /** {@inheritDoc CrashTrail.restored} */
  restored(state: JsonObject): void {
    if (this.#isOver) return;
    const base = this.#baseOf(0, state, copyJson);
    this.#keep(base, base);
  }

  /** {@inheritDoc CrashTrail.mark} */
  mark(): number {
    return this.#count;
  }

  /** {@inheritDoc CrashTrail.saved} */
  saved(state: JsonObject, sequence: number): void {
    if (this.#isOver) return;
    const isLater = this.#after.sequence < sequence;
    this.#keep(isLater ? this.#after : this.#before, this.#baseOf(sequence, state));
    if (this.#answers === undefined) return;
    const { sequence: since } = this.#before;
    const isOld = ({ answer }: { readonly answer: NotedAnswer }): boolean =>
      answer.sequence > 0 && answer.sequence <= since;
    this.#drop(this.#answers.filter(isOld));
    this.#answers = this.#answers.filter((each) => !isOld(each));
    this.#hasLostAnswers = false;
  }

  #baseOf(
    sequence: number,
    state: JsonObject,
    copied: (state: JsonObject) => JsonObject = (same) => same,
  ): Base {
    const weight = weightOf(state, stateWeightMax);
    if (weight > stateWeightMax || !this.#home.room.take(weight))
      return { ...nothing, sequence, isMissing: true };
    return { sequence, state: copied(state), isMissing: false, weight };
  }

  /** Puts other states in place of those that are kept, which give their room back. */
  #keep(before: Base, after: Base): void {
    for (const old of new Set([this.#before, this.#after]))
      if (old !== before && old !== after) this.#home.room.free(old.weight);
    this.#before = before;
    this.#after = after;
  }

  /** {@inheritDoc CrashTrail.crashed} */
  crashed(crash: TrailCrash): NotedCrash {
    const { message } = crash;
    const ring = this.#messages.kept(message).map(({ item }) => item);
    // One of many at hand may have left the ring.
    const kept = message === null || ring.includes(message) ? ring : [message];
    const first = this.#count - kept.length + 1;
    const all = kept.map((each, index) => ({ sequence: first + index, message: each }));
    const atHand = all.find((each) => each.message === message)?.sequence;
    const last = atHand ?? this.#count;
    const isBefore = this.#after.sequence < (atHand ?? Number.POSITIVE_INFINITY);
    const before = isBefore ? this.#after : this.#before;
    const messages = all.filter(({ sequence }) => sequence > before.sequence && sequence <= last);
    const replies = (this.#replies?.toArray() ?? []).map((each) => ({
      kind: "agent" as const,
      tookMs: 0,
      ...each,
    }));
    const answers: NotedAnswer[] = (this.#answers ?? []).map(({ answer }) => answer);
    const since = [...answers, ...replies]
      .filter(({ sequence }) => sequence === 0 || sequence > before.sequence)
      .toSorted((one, other) => one.order - other.order);
    return this.#home.record({
      agent: this.#agent,
      crash,
      before,
      after: this.#after,
      messages,
      lostMessageCount: Math.max(0, last - before.sequence - messages.length),
      answers: since,
      hasLostAnswers: this.#hasLostAnswers || this.#replies?.hasLost(before.sequence) === true,
      missed: [...(this.#missed ?? [])],
    });
  }

  /** {@inheritDoc CrashTrail.end} */
  end(): void {
    this.#isOver = true;
    this.#messages.clear();
    this.#drop(this.#answers ?? []);
    this.#answers = undefined;
    this.#replies?.clear();
    this.#replies = undefined;
    this.#keep(nothing, nothing);
  }
}
