/** A call or a stream whose answer somebody waits for. */
export interface OpenRequest {
  /** What it was made for: a message at hand, or the life of the agent. */
  readonly origin: object;
  readonly isStream: boolean;
  /**
   * Ends it: the caller gets the error, and the agent that answers learns that nobody waits.
   *
   * @param error What the caller gets.
   * @param reason For the agent that answers.
   */
  cancel(error: Error, reason: string): void;
}

/** The requests of one incarnation that wait for an answer: they end with what they were made for. */
export class OpenRequests {
  /** One of them, in no set: an agent that waits for one answer at a time needs none. */
  #one: OpenRequest | undefined;
  /** The others. */
  #others: Set<OpenRequest> | undefined;
  #streamCount = 0;

  /** All of them. */
  get count(): number {
    return (this.#one === undefined ? 0 : 1) + (this.#others?.size ?? 0);
  }

  /** Streams among them. */
  get streamCount(): number {
    return this.#streamCount;
  }

  /** Takes note of a request. */
  add(request: OpenRequest): void {
    if (this.#one === undefined) this.#one = request;
    else (this.#others ??= new Set()).add(request);
    if (request.isStream) this.#streamCount += 1;
  }

  /** Forgets a request; one that is not there is ignored. */
  delete(request: OpenRequest): void {
    if (this.#one === request) this.#one = undefined;
    else if (this.#others?.delete(request) !== true) return;
    if (request.isStream) this.#streamCount -= 1;
  }

  /**
   * Ends requests.
   *
   * @param error What those who wait get.
   * @param end.reason For those who answer.
   * @param end.of Only the requests that were made for it; undefined for all.
   */
  cancel(error: Error, end: { readonly reason: string; readonly of?: object | undefined }): void {
    const { reason, of } = end;
    const one = this.#one;
    if (one !== undefined && (of === undefined || one.origin === of)) one.cancel(error, reason);
    for (const request of this.#others ?? []) {
      if (of === undefined || request.origin === of) request.cancel(error, reason);
    }
  }
}
