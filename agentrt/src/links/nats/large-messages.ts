import { reasonOf } from "../../core/index.ts";
import type { NatsClient, NatsConnection, ObjectPlace } from "../../nats/index.ts";
import { linkErrors } from "../errors.ts";
import { Chain } from "./chain.ts";
import type { LazyBucket } from "../../nats/index.ts";
import { referenceHeaders } from "./object-reference.ts";

/** What is needed to carry large messages. */
export interface LargeMessagesInit {
  readonly client: Pick<NatsClient, "headers">;
  readonly bucket: LazyBucket;
  /** Sends a message whose bytes are in the bucket, or one of those behind it. */
  readonly send: (topic: string, bytes: Uint8Array, place: ObjectPlace | undefined) => void;
  readonly onFailed: (reason: string) => void;
}

/** Most bytes of messages that wait until a large one in front of them is in the bucket. */
const waitingBytesMax = 64 * 1024 * 1024;

/**
 * Messages over what one message of the broker should carry. Their bytes go into a bucket, and a message with their place goes to
 * the topic. What is sent to the same topic meanwhile waits behind it: the order of a sender stays.
 */
export class LargeMessages {
  readonly #init: LargeMessagesInit;
  /** Of topics with a large message on its way. */
  readonly #chains = new Map<string, Chain>();
  #waitingBytes = 0;

  constructor(init: LargeMessagesInit) {
    this.#init = init;
  }

  /** True while messages to a topic have to wait. */
  isBusy(topic: string): boolean {
    return this.#chains.get(topic)?.isBusy === true;
  }

  /**
   * Takes a message, in its order.
   *
   * @param isLarge It goes into the bucket.
   * @throws AGENTRT_LINK_FULL.
   */
  push(topic: string, bytes: Uint8Array, isLarge: boolean): void {
    if (this.#waitingBytes + bytes.length > waitingBytesMax)
      throw new linkErrors.FULL({ link: "nats", address: topic });
    this.#waitingBytes += bytes.length;
    const chain = this.#chains.get(topic) ?? new Chain();
    this.#chains.set(topic, chain);
    // Several go into the bucket at a time; they are sent in their order.
    const placed = isLarge ? this.#place(topic, bytes) : undefined;
    chain.push(async () => {
      const place = await placed;
      this.#waitingBytes -= bytes.length;
      if (place !== "lost") this.#init.send(topic, bytes, place);
    });
    void chain.done.then(() => {
      if (!chain.isBusy && this.#chains.get(topic) === chain) this.#chains.delete(topic);
    });
  }

  /** Sends a message whose bytes are in the bucket. */
  publish(connection: Pick<NatsConnection, "publish">, subject: string, place: ObjectPlace): void {
    const headers = referenceHeaders(this.#init.client, place);
    connection.publish(subject, new Uint8Array(), { headers });
  }

  /** Settles when all that was taken was sent or lost. */
  async flush(): Promise<void> {
    await Promise.all(Array.from(this.#chains.values(), ({ done }) => done));
  }

  /**
   * Reads the bytes of a message and deletes them: it has one receiver.
   *
   * @returns Undefined when they are gone, or the server is, after `onFailed`.
   */
  async take(topic: string, place: ObjectPlace): Promise<Uint8Array | undefined> {
    const { bucket, onFailed } = this.#init;
    try {
      const bytes = await bucket.get(place);
      if (bytes === undefined)
        onFailed(`a message of ${place.sizeBytes} bytes for "${topic}" is not in the bucket`);
      else this.remove(place);
      return bytes;
    } catch (error) {
      onFailed(`a message of ${place.sizeBytes} bytes for "${topic}": ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Deletes an object; what is left of it when that fails goes by its age. */
  remove(place: ObjectPlace): void {
    this.#init.bucket.remove(place).catch(() => undefined);
  }

  async #place(topic: string, bytes: Uint8Array): Promise<ObjectPlace | "lost"> {
    try {
      return await this.#init.bucket.put(bytes);
    } catch (error) {
      this.#init.onFailed(`a message of ${bytes.length} bytes for "${topic}": ${reasonOf(error)}`);
      return "lost";
    }
  }
}
