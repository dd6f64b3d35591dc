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
    return await this.#with((bucket) => bucket.put(bytes));
  }

  /** {@inheritDoc ObjectBucket.get} */
  async get(place: ObjectPlace): Promise<Uint8Array | undefined> {
    return await this.#with((bucket) => bucket.get(place));
  }

  /** {@inheritDoc ObjectBucket.remove} */
  async remove(place: ObjectPlace): Promise<void> {
    await this.#with((bucket) => bucket.remove(place));
  }

  /** After a fault it is opened again, and so made where somebody has deleted it. */
  async #with<Result>(use: (bucket: ObjectBucket) => Promise<Result>): Promise<Result> {
    const opening = (this.#opening ??= ObjectBucket.open(this.#init));
    try {
      return await use(await opening);
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }
}
