import type { System } from "../../core/index.ts";
import {
  nonceSizeBytes,
  readSealedMessage,
  sealBytesMax,
  type SealedMessage,
  sealMessage,
  signedBytes,
} from "../../wire/index.ts";
import type { Link } from "../link.ts";
import type { StoredDelivery, StoredTopics } from "../stored-topics.ts";
import { ReplayWindow } from "./replay-window.ts";

/** Why a message was refused; one word each, as it is counted. */
export type SignatureFault =
  | "unsigned"
  | "unknown_signer"
  | "bad_signature"
  | "too_old"
  | "replayed";

/** Each reason has its series from the start, so that a rise is seen. */
const noFaults: { readonly [Fault in SignatureFault]: number } = {
  unsigned: 0,
  unknown_signer: 0,
  bad_signature: 0,
  too_old: 0,
  replayed: 0,
};

/** Signs for one process. */
export interface Signer {
  /** Name of the process. */
  readonly name: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** Checks a signature of one process. */
export type Verifier = (bytes: Uint8Array, signature: Uint8Array) => boolean;

/** What a signed link is made from. */
export interface SignedLinkInit {
  /** What carries the bytes. */
  readonly link: Link;
  readonly signer: Signer;
  /** Finds what checks the signatures of a process; undefined for one that nobody knows. */
  readonly verifierOf: (name: string) => Verifier | undefined;
  readonly system: System;
  /** How far the clocks of sender and receiver, and the way between, may be apart, milliseconds. */
  readonly ageMsMax: number;
  /** True where messages without a signature are taken. */
  readonly isUnsignedTaken: boolean;
  /** False where a message that should be refused is only counted. */
  readonly isRefusing: boolean;
  /** Called for each message that is refused, or would be. */
  readonly onFault: (fault: SignatureFault, signer: string | undefined) => void;
}

/**
 * A link whose messages are signed by their sender's process, for the one topic that they go to, with a number that comes only once.
 * What has no good signature is counted, and nobody gets it.
 */
export class SignedLink implements Link {
  readonly name: string;
  readonly messageBytesMax: number;
  readonly #init: SignedLinkInit;
  readonly #window = new ReplayWindow();
  readonly #faults = new Map<SignatureFault, number>();
  readonly #instance: Uint8Array;
  #stored: StoredTopics | undefined;
  #count = 0;

  constructor(init: SignedLinkInit) {
    this.#init = init;
    this.name = init.link.name;
    const signerSizeBytes = Buffer.byteLength(init.signer.name);
    this.messageBytesMax = init.link.messageBytesMax - sealBytesMax - signerSizeBytes;
    // An id has the time in its first half, and what is random in its last.
    const id = Buffer.from(init.system.nextId().replaceAll("-", ""), "hex");
    const half = nonceSizeBytes / 2;
    this.#instance = id.subarray(0, half).map((byte, index) => byte ^ (id[half + index] ?? 0));
  }

  /** {@inheritDoc Link.losses} */
  get losses(): NonNullable<Link["losses"]> | undefined {
    return this.#init.link.losses;
  }

  /** {@inheritDoc Link.refused} */
  get refused(): { readonly [reason: string]: number } {
    return { ...noFaults, ...Object.fromEntries(this.#faults) };
  }

  /** {@inheritDoc Link.start} */
  async start(): Promise<void> {
    await this.#init.link.start();
  }

  /** {@inheritDoc Link.publish} */
  publish(topic: string, message: Uint8Array): void {
    this.#init.link.publish(topic, this.#sealed(topic, message));
  }

  #sealed(topic: string, message: Uint8Array): Uint8Array {
    const { signer, system } = this.#init;
    this.#count += 1;
    const nonce = Buffer.alloc(nonceSizeBytes);
    nonce.set(this.#instance);
    nonce.writeBigUInt64BE(BigInt(this.#count), nonceSizeBytes / 2);
    const parts = { message, signer: signer.name, nonce, sentAtMs: system.nowMs() };
    return sealMessage(parts, signer.sign(signedBytes({ ...parts, topic })));
  }

  /** {@inheritDoc Link.subscribe} */
  async subscribe(topic: string, receive: (bytes: Uint8Array) => void): Promise<() => void> {
    return await this.#init.link.subscribe(topic, (bytes) => {
      const sealed = readSealedMessage(bytes);
      const fault = sealed === undefined ? this.#unsigned() : this.#faultOf(sealed, topic);
      if (fault !== undefined) this.#note(fault, sealed?.signer);
      if (fault === undefined || !this.#init.isRefusing) receive(sealed?.message ?? bytes);
    });
  }

  /** {@inheritDoc Link.stored} */
  get stored(): StoredTopics | undefined {
    const { stored } = this.#init.link;
    if (stored === undefined) return undefined;
    return (this.#stored ??= {
      get duplicateCount() {
        return stored.duplicateCount;
      },
      store: async (message) => {
        const bytes = this.#sealed(storedTopicOf(message.topic), message.bytes);
        await stored.store({ ...message, bytes });
      },
      noteBegin: async (id, beginCount) => await stored.noteBegin(id, beginCount),
      take: (topic, receive, hasLines) =>
        stored.take(topic, (kept) => this.#takeStored(topic, kept, receive), hasLines),
    });
  }

  /** What is kept may have waited for days, and comes again by right: only its signer is checked. */
  #takeStored(
    topic: string,
    kept: StoredDelivery,
    receive: (delivery: StoredDelivery) => void,
  ): void {
    const sealed = readSealedMessage(kept.bytes);
    const fault =
      sealed === undefined ? this.#unsigned() : this.#signerFaultOf(sealed, storedTopicOf(topic));
    if (fault !== undefined) this.#note(fault, sealed?.signer);
    if (fault !== undefined && this.#init.isRefusing) {
      kept.done();
      return;
    }
    receive({
      bytes: sealed?.message ?? kept.bytes,
      beginCount: kept.beginCount,
      done: () => kept.done(),
      later: (delayMs) => kept.later(delayMs),
      park: (isAgain) => this.#parked(topic, kept.park(isAgain)),
    });
  }

  /** It keeps no bytes of what is parked. */
  #parked(
    topic: string,
    unpark: ReturnType<StoredDelivery["park"]>,
  ): ReturnType<StoredDelivery["park"]> {
    return (take) =>
      unpark((again) => {
        if (again === undefined) take(again);
        else this.#takeStored(topic, again, take);
      });
  }

  /** {@inheritDoc Link.flush} */
  async flush(): Promise<void> {
    await this.#init.link.flush();
  }

  /** {@inheritDoc Link.onRejoined} */
  onRejoined(callback: () => void): void {
    this.#init.link.onRejoined(callback);
  }

  /** {@inheritDoc Link.stop} */
  async stop(): Promise<void> {
    await this.#init.link.stop();
  }

  #unsigned(): SignatureFault | undefined {
    return this.#init.isUnsignedTaken ? undefined : "unsigned";
  }

  #faultOf(sealed: SealedMessage, topic: string): SignatureFault | undefined {
    const { system, ageMsMax } = this.#init;
    const fault = this.#signerFaultOf(sealed, topic);
    if (fault !== undefined) return fault;
    if (Math.abs(system.nowMs() - sealed.sentAtMs) > ageMsMax) return "too_old";
    const nonce = Buffer.from(sealed.nonce);
    const process = `${nonce.toString("hex", 0, nonceSizeBytes / 2)} ${sealed.signer}`;
    const number = Number(nonce.readBigUInt64BE(nonceSizeBytes / 2));
    return this.#window.take(process, number) ? undefined : "replayed";
  }

  #signerFaultOf(sealed: SealedMessage, topic: string): SignatureFault | undefined {
    const isGood = this.#init.verifierOf(sealed.signer);
    if (isGood === undefined) return "unknown_signer";
    const isSigned = isGood(signedBytes({ ...sealed, topic }), sealed.value);
    return isSigned ? undefined : "bad_signature";
  }

  #note(fault: SignatureFault, signer: string | undefined): void {
    this.#faults.set(fault, (this.#faults.get(fault) ?? 0) + 1);
    this.#init.onFault(fault, signer);
  }
}

/** A message that is kept is signed for that: one that goes to the topic at once is another one. */
function storedTopicOf(topic: string): string {
  return `stored ${topic}`;
}
