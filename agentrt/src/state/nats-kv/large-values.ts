import { RecencyMap } from "../../core/index.ts";
import {
  type BucketEntry,
  type BucketWrite,
  faultOf,
  type LazyBucket,
  type NatsBucket,
  type ObjectPlace,
  placeText,
  readPlace,
} from "../../nats/index.ts";

/** Most bytes of one state. */
export const stateBytesMax = 67_108_864;

/** The header of a state whose bytes are in the bucket of objects. */
const objectHeader = "Agentrt-Object";
/** States of which it is remembered where they are; of others that is looked up before they are written. */
const placeCountMax = 10_000;
/** A state that is written again while it is read is read again, so often. */
const readTryCountMax = 10;

/** What it is made from. */
interface LargeValuesInit {
  readonly bucket: NatsBucket;
  /** Where the bytes of large states are. */
  readonly objects: LazyBucket;
  /** Most bytes that are in the bucket itself. */
  readonly inlineBytesMax: () => number;
}

/**
 * A bucket whose values may be larger than a message of its server: the bytes of those are an object, and the value says where.
 * The object is there before the value that names it, and the one before it goes after that: so each write is one write of
 * the bucket, with the revision that it expects. A process that is killed between the two leaves an object that nobody names.
 */
export class LargeValues implements Pick<NatsBucket, "get" | "put" | "keys"> {
  readonly #init: LargeValuesInit;
  /** Where the last value of a key is, as this process knows; null for one in the bucket itself. */
  readonly #places = new RecencyMap<string, ObjectPlace | null>();

  constructor(init: LargeValuesInit) {
    this.#init = init;
  }

  /** {@inheritDoc NatsBucket.get} */
  async get(key: string, room?: string): Promise<BucketEntry | undefined> {
    const { bucket, objects } = this.#init;
    for (let tryCount = 0; tryCount < readTryCountMax; tryCount += 1) {
      const entry = await bucket.get(key, room);
      if (room !== undefined) return entry;
      const place = placeOf(entry);
      this.#remember(key, place);
      if (entry === undefined || place === null) return entry;
      const value = await objects.get(place);
      if (value !== undefined) return { ...entry, value };
    }
    throw new TypeError("its bytes are gone from the bucket of objects");
  }

  /** {@inheritDoc NatsBucket.put} */
  async put(key: string, write: BucketWrite): Promise<number> {
    const { bucket, objects, inlineBytesMax } = this.#init;
    const { value, room } = write;
    if (room !== undefined) return await bucket.put(key, write);
    const before = this.#places.get(key) ?? placeOf(await this.#unknown(key));
    const isLarge = value !== undefined && value.length > inlineBytesMax();
    const place = isLarge ? await objects.put(value) : null;
    const revision = await this.#put(key, write, place);
    this.#remember(key, place);
    // Who has read where it was finds it gone, and reads again.
    if (before !== null) await objects.remove(before).catch(() => undefined);
    return revision;
  }

  /** {@inheritDoc NatsBucket.keys} */
  async keys(): Promise<string[]> {
    return await this.#init.bucket.keys();
  }

  async #put(key: string, write: BucketWrite, place: ObjectPlace | null): Promise<number> {
    const { bucket, objects } = this.#init;
    if (place === null) return await bucket.put(key, write);
    const headers = { ...write.headers, [objectHeader]: placeText(place) };
    try {
      return await bucket.put(key, { ...write, value: new Uint8Array(), headers });
    } catch (error) {
      // Without an answer it may be written: then it is what the value names.
      if (faultOf(error) === "conflict") await objects.remove(place).catch(() => undefined);
      else this.#places.delete(key);
      throw error;
    }
  }

  /** @returns The entry of a key whose place is not known; undefined for one whose place is. */
  async #unknown(key: string): Promise<BucketEntry | undefined> {
    return this.#places.get(key) === null ? undefined : await this.#init.bucket.get(key);
  }

  #remember(key: string, place: ObjectPlace | null): void {
    this.#places.set(key, place);
    const { oldest, size } = this.#places;
    if (size > placeCountMax && oldest !== undefined) this.#places.delete(oldest.key);
  }
}

function placeOf(entry: BucketEntry | undefined): ObjectPlace | null {
  const text = entry === undefined || entry.isDeleted ? "" : entry.header(objectHeader);
  return readPlace(text, stateBytesMax) ?? null;
}
