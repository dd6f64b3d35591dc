import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { follow, FollowedController, SignalFollower, unfollow } from "./signal-followers.ts";

class Listed extends SignalFollower {
  readonly #onAbort: (signal: AbortSignal) => void;

  constructor(onAbort: (signal: AbortSignal) => void) {
    super();
    this.#onAbort = onAbort;
  }

  override onAbort(signal: AbortSignal): void {
    this.#onAbort(signal);
  }
}

test("all that follow a signal share its one listener, and hear of its end in their order, once", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const heard: number[] = [];
  const followers = Array.from({ length: 5 }, (_, index) => new Listed(() => heard.push(index)));
  for (const follower of followers) follow(signal, follower);
  assert.equal(getEventListeners(signal, "abort").length, 1);
  unfollow(followers[1]!);
  unfollow(followers[1]!);
  unfollow(followers[4]!);
  follow(signal, followers[1]!);
  controller.abort();
  controller.abort();
  assert.deepEqual(heard, [0, 2, 3, 1]);
});

test("who leaves while others hear of the end hears nothing of it, and who comes then does", () => {
  const controller = new AbortController();
  const heard: string[] = [];
  const other = new AbortController();
  const leaver = new Listed(() => heard.push("leaver"));
  const comer = new Listed((signal) => heard.push(`comer ${signal === controller.signal}`));
  const first = new Listed(() => {
    heard.push("first");
    unfollow(leaver);
    follow(controller.signal, comer);
  });
  follow(other.signal, new Listed(() => heard.push("other")));
  follow(controller.signal, first);
  follow(controller.signal, leaver);
  controller.abort();
  assert.deepEqual(heard, ["first", "comer true"]);
});

test("a controller of followers tells them without a listener, behind the listeners of its signal, once", () => {
  const controller = new FollowedController();
  const { signal } = controller;
  const heard: string[] = [];
  const reason = new Error("gone");
  follow(signal, new Listed((aborted) => heard.push(`first ${aborted.reason === reason}`)));
  const leaver = new Listed(() => heard.push("leaver"));
  follow(signal, leaver);
  follow(signal, new Listed(() => heard.push("last")));
  unfollow(leaver);
  assert.equal(getEventListeners(signal, "abort").length, 0);
  signal.addEventListener("abort", () => heard.push("listener"));
  assert.equal(AbortSignal.any([signal]).aborted, false);
  controller.abort(reason);
  controller.abort(new Error("again"));
  assert.deepEqual(heard, ["listener", "first true", "last"]);
  assert.equal(AbortSignal.any([signal]).reason, reason);
});
