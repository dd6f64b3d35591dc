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
  readonly #requests = new Set<OpenRequest>();
  #streamCount = 0;

  /** All of them. */
  get count(): number {
    return this.#requests.size;
  }

  /** Streams among them. */
  get streamCount(): number {
    return this.#streamCount;
  }

  /** Takes note of a request. */
  add(request: OpenRequest): void {
    this.#requests.add(request);
    if (request.isStream) this.#streamCount += 1;
  }

  /** Forgets a request; one that is not there is ignored. */
  delete(request: OpenRequest): void {
    if (this.#requests.delete(request) && request.isStream) this.#streamCount -= 1;
  }

  /**
   * Ends requests.
   *
   * @param error What those who wait get.
   * @param end.reason For those who answer.
   * @param end.of Only the requests that were made for it; undefined for all.
   */
  cancel(error: Error, end: { readonly reason: string; readonly of?: object | undefined }): void {
    for (const request of this.#requests) {
      if (end.of === undefined || request.origin === end.of) request.cancel(error, end.reason);
    }
  }
}
