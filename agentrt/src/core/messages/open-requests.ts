/** A call or a stream whose answer somebody waits for. */
export interface OpenRequest {
  /** What it was made for: a message at hand, or the life of the agent. */
  readonly origin: object;
  readonly isStream: boolean;
  /** Neighbours among the open requests of an agent. Only `OpenRequests` touches these. */
  previousRequest: OpenRequest | undefined;
  nextRequest: OpenRequest | undefined;
  /**
   * Ends it: the caller gets the error, and the agent that answers learns that nobody waits.
   *
   * @param error What the caller gets.
   * @param reason For the agent that answers.
   */
  cancel(error: Error, reason: string): void;
}

/**
 * The requests of one incarnation that wait for an answer: they end with what they were made for. They are linked by their
 * own fields. A `Set` that many come to and leave is copied again and again, and each copy refers to the next: once a full
 * collection has moved one of them to the old space, it keeps all later ones, and the requests in them, until the next.
 */
export class OpenRequests {
  #first: OpenRequest | undefined;
  #last: OpenRequest | undefined;
  #count = 0;
  #streamCount = 0;

  /** All of them. */
  get count(): number {
    return this.#count;
  }

  /** Streams among them. */
  get streamCount(): number {
    return this.#streamCount;
  }

  /** Takes note of a request, which is in no other list; one that is there already is ignored. */
  add(request: OpenRequest): void {
    if (this.#has(request)) return;
    const last = this.#last;
    if (last === undefined) this.#first = request;
    else last.nextRequest = request;
    request.previousRequest = last;
    this.#last = request;
    this.#count += 1;
    if (request.isStream) this.#streamCount += 1;
  }

  /** Forgets a request; one that is not there is ignored. */
  delete(request: OpenRequest): void {
    if (!this.#has(request)) return;
    const { previousRequest: previous, nextRequest: next } = request;
    if (previous === undefined) this.#first = next;
    else previous.nextRequest = next;
    if (next === undefined) this.#last = previous;
    else next.previousRequest = previous;
    request.previousRequest = undefined;
    request.nextRequest = undefined;
    this.#count -= 1;
    if (request.isStream) this.#streamCount -= 1;
  }

  /**
   * Ends requests, the oldest first; those too that are made meanwhile.
   *
   * @param error What those who wait get.
   * @param end.reason For those who answer.
   * @param end.of Only the requests that were made for it; undefined for all.
   */
  cancel(error: Error, end: { readonly reason: string; readonly of?: object | undefined }): void {
    const { reason, of } = end;
    for (let found = this.#madeFor(of); found.length > 0; found = this.#madeFor(of))
      for (const request of found) {
        if (!this.#has(request)) continue; // The end of another one ended it.
        this.delete(request);
        request.cancel(error, reason);
      }
  }

  #madeFor(of: object | undefined): OpenRequest[] {
    const found: OpenRequest[] = [];
    for (let request = this.#first; request !== undefined; request = request.nextRequest)
      if (of === undefined || request.origin === of) found.push(request);
    return found;
  }

  #has(request: OpenRequest): boolean {
    return request.previousRequest !== undefined || request === this.#first;
  }
}
