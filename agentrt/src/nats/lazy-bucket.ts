import { ObjectBucket, type ObjectPlace } from "./object-bucket.ts";

/** A bucket that is opened, and made where it is not there, when the first object is put, read or removed. */
export class LazyBucket {
  readonly #init: Parameters<typeof ObjectBucket.open>[0];
  #opening: Promise<ObjectBucket> | undefined;

  constructor(init: Parameters<typeof ObjectBucket.open>[0]) {
    this.#init = init;
  }

  /** {@inheritDoc ObjectBucket.put} */
  async put(bytes: Uint8Array): Promise<ObjectPlace> {
    return await (await this.#open()).put(bytes);
  }

  /** {@inheritDoc ObjectBucket.get} */
  async get(place: ObjectPlace): Promise<Uint8Array | undefined> {
    return await (await this.#open()).get(place);
  }

  /** {@inheritDoc ObjectBucket.remove} */
  async remove(place: ObjectPlace): Promise<void> {
    await (await this.#open()).remove(place);
  }

  async #open(): Promise<ObjectBucket> {
    const opening = (this.#opening ??= ObjectBucket.open(this.#init));
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }
}
