import {
  copyJson,
  type CrashTrail,
  type JsonObject,
  type Message,
  type TrailAnswer,
  type TrailCrash,
} from "../core/index.ts";
import {
  answerCountMax,
  answerWeightMax,
  messageCountMax,
  messageWeightMax,
  stateWeightMax,
} from "./limits.ts";
import { ReplyRing } from "./reply-ring.ts";
import { weightOf } from "./weight.ts";

/** Most sorts of what cannot be repeated that are named. */
const missedCountMax = 8;
/** The first messages are all weighed, later ones now and then: that is on the way of every message. */
const [weighedCount, weighedMask] = [4, 63] as const;

/** A state, and after how many messages of the life it was the agent's. */
export interface Base {
  readonly sequence: number;
  /** Undefined where none was saved. */
  readonly state: JsonObject | undefined;
  /** True for one that was too large to be kept. */
  readonly isMissing: boolean;
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
  /** Asks for room for one more message, until `freeMessages`. */
  takeMessage(): boolean;
  freeMessages(count: number): void;
  /** Asks for room for answers, until `freeAnswers`. */
  takeAnswer(weight: number): boolean;
  freeAnswers(weight: number): void;
  /** @returns The id of the record; undefined for none. */
  record(recollection: Recollection): string | undefined;
}

const nothing: Base = { sequence: 0, state: undefined, isMissing: false };

/** Remembers one life: a ring of its latest messages, the answers that it got, and the states that it saved. */
export class LifeTrail implements CrashTrail {
  readonly #agent: string;
  readonly #home: TrailHome;
  readonly #ring: Message[] = [];
  /** Where in the ring the next message goes. */
  #at = 0;
  #count = 0;
  /** How long the ring may become. */
  #lengthMax = messageCountMax;
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

  constructor(agent: string, home: TrailHome) {
    this.#agent = agent;
    this.#home = home;
  }

  /** {@inheritDoc CrashTrail.handle} */
  handle(message: Message): void {
    const count = (this.#count += 1);
    if ((count & weighedMask) === 0 || count <= weighedCount) this.#weigh(message);
    const at = this.#at;
    if (at < this.#ring.length) {
      this.#ring[at] = message;
      this.#at = at + 1 === this.#lengthMax ? 0 : at + 1;
    } else this.#grow(message);
  }

  /** Makes the ring longer, or begins it again where there is no room. */
  #grow(message: Message): void {
    const ring = this.#ring;
    if (ring.length === 0 || this.#home.takeMessage()) {
      ring.push(message);
      this.#at = ring.length === this.#lengthMax ? 0 : ring.length;
    } else {
      ring[0] = message;
      this.#at = 1;
    }
  }

  /** Large messages make the ring shorter. */
  #weigh({ payload }: Message): void {
    const weight = weightOf(payload, messageWeightMax);
    const lengthMax = Math.max(1, Math.min(this.#lengthMax, Math.floor(messageWeightMax / weight)));
    if (lengthMax >= this.#lengthMax) return;
    const kept = this.#inOrder().slice(-lengthMax);
    this.#home.freeMessages(Math.max(0, this.#ring.length - Math.max(1, kept.length)));
    this.#ring.splice(0, this.#ring.length, ...kept);
    this.#lengthMax = lengthMax;
    this.#at = kept.length === lengthMax ? 0 : kept.length;
  }

  /** The messages that are kept, oldest first. */
  #inOrder(): Message[] {
    return [...this.#ring.slice(this.#at), ...this.#ring.slice(0, this.#at)];
  }

  /** {@inheritDoc CrashTrail.answered} */
  answered(answer: TrailAnswer): void {
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
    if (!this.#home.takeAnswer(weight)) {
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
    (this.#replies ??= new ReplyRing()).add(name, value, this.#count, this.#answerCount);
  }

  #drop(gone: readonly { readonly weight: number }[]): void {
    const weight = gone.reduce((sum, each) => sum + each.weight, 0);
    this.#answerWeight -= weight;
    this.#home.freeAnswers(weight);
  }

  /** {@inheritDoc CrashTrail.missed} */
  missed(what: string): void {
    const missed = (this.#missed ??= new Set());
    if (missed.size < missedCountMax) missed.add(what);
  }

  /** {@inheritDoc CrashTrail.restored} */
  restored(state: JsonObject): void {
    const isMissing = weightOf(state, stateWeightMax) > stateWeightMax;
    this.#before = { sequence: 0, state: isMissing ? undefined : copyJson(state), isMissing };
    this.#after = this.#before;
  }

  /** {@inheritDoc CrashTrail.mark} */
  mark(): number {
    return this.#count;
  }

  /** {@inheritDoc CrashTrail.saved} */
  saved(state: JsonObject, sequence: number): void {
    const isMissing = weightOf(state, stateWeightMax) > stateWeightMax;
    if (this.#after.sequence < sequence) this.#before = this.#after;
    this.#after = { sequence, state: isMissing ? undefined : state, isMissing };
    if (this.#answers === undefined) return;
    const { sequence: since } = this.#before;
    const isOld = ({ answer }: { readonly answer: NotedAnswer }): boolean =>
      answer.sequence > 0 && answer.sequence <= since;
    this.#drop(this.#answers.filter(isOld));
    this.#answers = this.#answers.filter((each) => !isOld(each));
    this.#hasLostAnswers = false;
  }

  /** {@inheritDoc CrashTrail.crashed} */
  crashed(crash: TrailCrash): string | undefined {
    const kept = this.#inOrder();
    const first = this.#count - kept.length + 1;
    const all = kept.map((message, index) => ({ sequence: first + index, message }));
    const atHand = all.find(({ message }) => message === crash.message)?.sequence;
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
    this.#home.freeMessages(Math.max(0, this.#ring.length - 1));
    this.#ring.length = 0;
    this.#at = 0;
    this.#drop(this.#answers ?? []);
    this.#answers = undefined;
    this.#replies = undefined;
    this.#before = nothing;
    this.#after = nothing;
  }
}
