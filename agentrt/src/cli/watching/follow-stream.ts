import { createRealSystem } from "../../core/index.ts";
import { cliErrors } from "../errors.ts";
import { type StreamedEvent, streamedEvents } from "../remote/index.ts";
import type { ControlReader } from "./control-reader.ts";

/** How a stream is followed. */
export interface FollowStreamOptions {
  /** The route with its query. */
  readonly route: string;
  readonly reader: ControlReader;
  /** Called when the connection is lost, and it is tried again. */
  readonly onLost: (reason: string) => void;
  /** The stream has an end, and that is the end; default false. */
  readonly hasEnd?: boolean | undefined;
}

/** Pauses before the tries to connect again, one after the other. */
const pausesMs = [500, 1000, 2000, 4000, 8000];

/**
 * Follows a stream of server-sent events; a lost connection is taken up again from where it was.
 *
 * @param options Which, and how.
 * @returns The events, until the control plane is gone for good.
 * @throws AGENTRT_CLI_CONTROL_UNREACHABLE when it cannot be reached, AGENTRT_CLI_QUESTION_REFUSED when it refuses.
 */
export async function* followStream(
  options: FollowStreamOptions,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { reader, route, onLost, hasEnd = false } = options;
  const url = reader.url(route);
  let lastId: string | undefined;
  let failureCount = 0;
  for (;;) {
    let reason = "the stream has ended";
    try {
      const headers = new Headers(reader.headers);
      headers.set("accept", "text/event-stream");
      if (lastId !== undefined) headers.set("last-event-id", lastId);
      const response = await fetch(url, { headers, redirect: "error" });
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        throw new cliErrors.QUESTION_REFUSED({ route, reason: `HTTP status ${response.status}` });
      }
      for await (const event of streamedEvents(response.body)) {
        failureCount = 0;
        lastId = event.id ?? lastId;
        yield event;
      }
      if (hasEnd) return;
    } catch (error) {
      if (error instanceof cliErrors.QUESTION_REFUSED) throw error;
      const { cause } = error as Error;
      reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? String(error);
    }
    const pauseMs = pausesMs[failureCount];
    if (pauseMs === undefined) throw new cliErrors.CONTROL_UNREACHABLE({ url, reason });
    failureCount += 1;
    onLost(reason);
    await new Promise<void>((resolve) => void createRealSystem().setTimer(pauseMs, resolve));
  }
}
