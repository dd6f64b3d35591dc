import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { CommandContext } from "../commands/index.ts";
import { steadyMs } from "../system/index.ts";

/** A client gets no more than so many reports a second. */
const reportEveryMs = 200;

/** Makes what reports the progress of a call to the client that asked for it; nothing for one that did not. */
export function progressReporter({
  _meta: meta,
  sendNotification,
}: RequestHandlerExtra<ServerRequest, ServerNotification>): Pick<CommandContext, "onProgress"> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return {};
  let lastMs = Number.NEGATIVE_INFINITY;
  let lastDone = -1;
  return {
    onProgress: ({ done, total, unit = "files" }) => {
      const nowMs = steadyMs();
      // The protocol wants each report to be further than the one before.
      if (done <= lastDone || (nowMs - lastMs < reportEveryMs && done < total)) return;
      lastMs = nowMs;
      lastDone = done;
      const params = {
        progressToken,
        progress: done,
        total,
        message: `${done} of ${total} ${unit}`,
      };
      // A client that is gone is seen by what sends the answer.
      void sendNotification({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}
