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
  const call = runtime.call.bind(runtime);
  const stream = runtime.stream.bind(runtime);
  const restart = runtime.restart.bind(runtime);
  const stopAgent = runtime.stopAgent.bind(runtime);
  const suspend = runtime.suspend.bind(runtime);
  const resume = runtime.resume.bind(runtime);
  const stop = runtime.stop.bind(runtime);
  const watchedCall = (to: string, payload: OutgoingPayload, options?: SendOptions) => {
    const open = record.calling(undefined, to, options);
    const answer = call(to, payload, options);
    record.called(open);
    return record.follow(open, answer);
  };
  runtime.call = watchedCall as Runtime["call"];
  const watchedStream = (to: string, payload: OutgoingPayload, options?: StreamOptions) => {
    const open = record.streaming(undefined, to, options);
    const chunks = stream(to, payload, options);
    record.called(open);
    return record.followStream(open, chunks);
  };
  runtime.stream = watchedStream as Runtime["stream"];
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
