import type { OutgoingPayload, SendOptions, StreamOptions } from "../core/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { TreeRecord } from "./tree-record.ts";

/**
 * Follows what is asked of a runtime from outside of its tree: calls, restarts, stops.
 *
 * @param runtime A runtime of only this simulation.
 * @param record Writes it down.
 */
export function watchRuntime(runtime: Runtime, record: TreeRecord): void {
  watchCalls(runtime, record);
  watchStreams(runtime, record);
  const restart = runtime.restart.bind(runtime);
  const stopAgent = runtime.stopAgent.bind(runtime);
  const suspend = runtime.suspend.bind(runtime);
  const resume = runtime.resume.bind(runtime);
  const stop = runtime.stop.bind(runtime);
  runtime.restart = (name, options) =>
    record.asking({ kind: "restart", name }, () => restart(name, options));
  runtime.stopAgent = (name) => record.asking({ kind: "stopAgent", name }, () => stopAgent(name));
  runtime.suspend = (name, options) =>
    record.asking({ kind: "suspend", name }, () => suspend(name, options));
  runtime.resume = (name, options) =>
    record.asking({ kind: "resume", name }, () => resume(name, options));
  runtime.stop = (options) =>
    record.asking({ kind: "stop", name: record.plan.root.name }, () => stop(options));
}

function watchCalls(runtime: Runtime, record: TreeRecord): void {
  const call = runtime.call.bind(runtime);
  const watched: object = (to: string, payload: OutgoingPayload, options?: SendOptions) =>
    record.following({ caller: undefined, to, options }, () => call(to, payload, options));
  runtime.call = watched as Runtime["call"];
  const callCapable = runtime.callCapable.bind(runtime);
  runtime.callCapable = (capability, payload, options) =>
    record.following({ caller: undefined, to: { capability }, options }, () =>
      callCapable(capability, payload, options),
    );
}

function watchStreams(runtime: Runtime, record: TreeRecord): void {
  const stream = runtime.stream.bind(runtime);
  const watched: object = (to: string, payload: OutgoingPayload, options?: StreamOptions) =>
    record.followingStream({ caller: undefined, to, options }, () => stream(to, payload, options));
  runtime.stream = watched as Runtime["stream"];
  const streamCapable = runtime.streamCapable.bind(runtime);
  runtime.streamCapable = (capability, payload, options) =>
    record.followingStream({ caller: undefined, to: { capability }, options }, () =>
      streamCapable(capability, payload, options),
    );
}
