import { defineErrors } from "./values/index.ts";

/** Errors of describing a tree in a program: what a topology file would refuse, too. */
export const optionErrors = defineErrors("AGENTRT_OPTION", {
  UNKNOWN: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { owner: string; option: string; hint: string }) =>
      `Cannot configure ${d.owner}: unknown option "${d.option}"${d.hint}`,
    remedy: "Correct the option, or leave it out",
  },
  WRONG: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { owner: string; option: string; found: string; wanted: string }) =>
      `Cannot configure ${d.owner}: ${d.option}: found ${d.found}, wanted ${d.wanted}`,
    remedy: "Correct what the program gives",
  },
  NO_CHILDREN: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { supervisor: string }) =>
      `Cannot configure supervisor "${d.supervisor}": it has no children: it must have at least one`,
    remedy: "Give it a child, or use dynamicSupervisor, which starts empty",
  },
});

/** Errors of sending and calling. */
export const busErrors = defineErrors("AGENTRT_BUS", {
  NO_ROUTE: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { address: string }) =>
      `Cannot deliver message to "${d.address}": no agent is registered under that name`,
    remedy: "Start the agent or correct the name; `agentrt topology show` lists what runs",
  },
  TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { address: string; timeoutMs: number; isSuspended?: true }) =>
      `Cannot get a reply from "${d.address}": none came within ${d.timeoutMs} ms${d.isSuspended === true ? ": it is suspended" : ""}`,
    remedy:
      "Raise `timeoutMs`, or look at the agent's mailbox depth and handler; resume it when it is suspended",
  },
  EXPIRED: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { address: string; ttlMs: number }) =>
      `Cannot get a reply from "${d.address}": the message waited longer than its ttlMs of ${d.ttlMs} ms and was dropped`,
    remedy: "Raise `ttlMs`, or look at the agent's mailbox depth and handler",
  },
  NO_CAPABLE: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: true,
    message: (d: { tag: string; holderCount: number }) =>
      `Cannot deliver message to an agent with capability "${d.tag}": ${
        d.holderCount === 0
          ? "no agent declares it"
          : `none of the ${d.holderCount} that declare it takes messages`
      }`,
    remedy: "Declare it with `capabilities` on an agent, or start one that does",
  },
  MAILBOX_FULL: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string; mailboxLengthMax: number }) =>
      `Cannot deliver message to "${d.address}": its mailbox holds ${d.mailboxLengthMax} messages and had no room in time`,
    remedy:
      "Send more slowly, or raise the agent's `mailboxLengthMax` (`mailbox_size` in a topology)",
  },
  PAYLOAD_NOT_JSON: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { path: string; found: string }) =>
      d.path === "payload" && d.found === "an array"
        ? "Cannot send payload: found an array, wanted an object"
        : `Cannot send payload: "${d.path}" is ${d.found}, and a payload holds plain JSON values only`,
    remedy: "Send null, booleans, finite numbers, strings, arrays and plain objects",
  },
  PAYLOAD_INVALID: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: {
      address: string;
      type: string;
      issues: readonly { path: string; message: string }[];
      issueCount: number;
    }) => {
      const shown = d.issues.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
      const restCount = d.issueCount - shown.length;
      const rest = restCount > 0 ? `; and ${restCount} more` : "";
      return `Cannot send message to "${d.address}": ${shown.join("; ")}${rest}`;
    },
    remedy: "Correct the payload: the agent's class declares a schema for it",
  },
  RESERVED_TYPE: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { type: string }) =>
      `Cannot send message of type "${d.type}": types that begin with "_agency." or "agentrt." belong to the runtime`,
    remedy: "Choose another message type",
  },
  OPTION_INVALID: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { option: string; found: string; wanted: string }) =>
      `Cannot send message: ${d.option} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the option",
  },
  CANCELLED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string }) =>
      `Cannot finish the request to "${d.address}": the caller cancelled it`,
    remedy: "Send it again when the result is wanted",
  },
  CALL_CYCLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { address: string; chain: string }) =>
      `Cannot call "${d.address}": it waits for this call itself: ${d.chain}`,
    remedy:
      "Use `send` or `cast` for what needs no answer, `message.defer()` to answer later, or raise the agent's `concurrency`",
  },
});

/** Errors of an agent's life. */
export const agentErrors = defineErrors("AGENTRT_AGENT", {
  CRASHED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot get a reply from "${d.agent}": it crashed while it handled the message: ${d.reason}`,
    remedy: "Its supervisor restarts it; the cause is in the log and in this error's `cause`",
  },
  STOPPED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: {
      agent: string;
      /** There when it did not end by itself: what it crashed with, and when, milliseconds since the Unix epoch. */
      crash?: { readonly reason: string; readonly atMs: number } | undefined;
      /** There when an eval agent has halted it: the name of that. */
      haltedBy?: string | undefined;
    }) =>
      d.crash === undefined
        ? `Cannot reach "${d.agent}": it is stopped and is not being restarted${d.haltedBy === undefined ? "" : `: "${d.haltedBy}" has halted it`}`
        : `Cannot reach "${d.agent}": it crashed at ${new Date(d.crash.atMs).toISOString()} and is not being restarted: ${d.crash.reason}`,
    remedy: "Start the agent again, or route to another one",
  },
  FAILED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot get a reply from "${d.agent}": its handler failed and the message was skipped: ${d.reason}`,
    remedy:
      "The cause is in the log and in this error's `cause`; correct the request or the handler",
  },
  SUSPENDED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string }) =>
      `Cannot get a reply from "${d.agent}": it is suspended and the call does not wait`,
    remedy: "Resume the agent, or call without `failIfSuspended`",
  },
  DRAINED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string }) =>
      `Cannot reach "${d.agent}": it is drained and takes no new messages until somebody resumes it`,
    remedy: "Resume the agent, or route to another one",
  },
  MESSAGE_REMOVED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { agent: string; initiatedBy: string }) =>
      `Cannot get a reply from "${d.agent}": ${d.initiatedBy} took the message out of its mailbox before it was handled`,
    remedy: "Ask the operator why; `agentrt dead-letters` has the message",
  },
  DRAIN_ENDED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { agent: string }) =>
      `Cannot drain "${d.agent}": somebody resumed it before it was done`,
    remedy: "Ask who resumed it, and drain it again",
  },
  SUSPENSION_INVALID: {
    exitCode: 2,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { agent: string; option: string; found: string; wanted: string }) =>
      `Cannot change the suspension of "${d.agent}": ${d.option} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the request",
  },
  SUSPENSION_BUSY: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; requestCountMax: number }) =>
      `Cannot change the suspension of "${d.agent}": ${d.requestCountMax} requests wait for the end of its message already`,
    remedy: "Wait for the message at hand, or restart the agent",
  },
  APPROVAL_PENDING: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { agent: string; ids: readonly string[] }) =>
      `Cannot resume "${d.agent}": it waits for an approval and none was named: ${d.ids.join(", ")}`,
    remedy: "Approve or deny it by its id: `agentrt approvals show <id>`",
  },
  HALTED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { agent: string; by: string; reason: string }) =>
      `Cannot restart "${d.agent}": "${d.by}" has halted it, and a restart does not lift that: ${d.reason}`,
    remedy: "Find out why, then resume it: `agentrt resume <agent>`",
  },
  EVAL_SIGNAL: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; found: string }) =>
      `Cannot correct an agent for "${d.agent}": onEvalEvent gave ${d.found}, want nudge, redirect or halt`,
    remedy: "Correct what `onEvalEvent` returns; null corrects nothing",
  },
  STATE_NOT_JSON: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; path: string; found: string }) =>
      `Cannot save the state of "${d.agent}": "${d.path}" is ${d.found}, and a state holds plain JSON values only`,
    remedy:
      "Keep null, booleans, finite numbers, strings, arrays and plain objects in `this.state`",
  },
  STATELESS: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string }) =>
      `Cannot save the state of "${d.agent}": the members of a pool save none`,
    remedy: "Keep the state in another agent, or declare an agent in place of the pool",
  },
  STATE_KEY_RESERVED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; key: string }) =>
      `Cannot save the state of "${d.agent}": its key "${d.key}" belongs to the runtime`,
    remedy: "Choose another key",
  },
  HANDLE_TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { agent: string; handleTimeoutMs: number }) =>
      `Cannot finish a message in "${d.agent}": handle ran longer than ${d.handleTimeoutMs} ms`,
    remedy: "Raise `handleTimeoutMs`, or find what the handler waits for",
  },
  START_TIMEOUT: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; startTimeoutMs: number }) =>
      `Cannot start "${d.agent}": onStart did not end within ${d.startTimeoutMs} ms`,
    remedy: "Raise `startTimeoutMs`, or find what the start hook waits for",
  },
  RETRIES_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; retryCountMax: number }) =>
      `Cannot finish a message in "${d.agent}": it failed after ${d.retryCountMax} retries`,
    remedy: 'Correct the handler, or let onError return "skip" for messages that cannot succeed',
  },
  RESTART_REQUESTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; initiatedBy: string; isCharged?: true }) =>
      `Cannot keep "${d.agent}" running: a restart was requested by ${d.initiatedBy}`,
    remedy: "Nothing: its supervisor restarts it",
  },
  NOT_AN_AGENT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; found: string }) =>
      `Cannot start "${d.agent}": it is ${d.found}, want an object of a class that derives from Agent`,
    remedy:
      "Derive the class from the `Agent` that `agentrt` exports; there must be one copy of it",
  },
  CANCELLED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; id: string }) =>
      `Cannot go on with message ${d.id} in "${d.agent}": nobody waits for its answer any more`,
    remedy: "Let it end the handler; `{ signal: null }` is for work that must be done all the same",
  },
  NOT_AT_HAND: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; id: string }) =>
      `Cannot put off the reply of "${d.agent}": message ${d.id} is not being handled`,
    remedy: "Call `defer()` in the handler of the message, before it ends",
  },
  REPLY_GIVEN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; id: string }) =>
      `Cannot reply from "${d.agent}" to message ${d.id}: its reply was given or put off already`,
    remedy: "Call `defer()` once for a message, and `send` or `fail` once for its reply",
  },
  REPLIES_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; deferredCountMax: number }) =>
      `Cannot put off a reply of "${d.agent}": ${d.deferredCountMax} are open already`,
    remedy: "Give the replies that are open, or put off fewer",
  },
  HOOK_TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { agent: string; hook: string; hookTimeoutMs: number }) =>
      `Cannot go on in "${d.agent}": ${d.hook} did not end within ${d.hookTimeoutMs} ms`,
    remedy: "Raise `hookTimeoutMs`, or find what the hook waits for",
  },
  WATCHES_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: true,
    message: (d: { agent: string; watchCountMax: number }) =>
      `Cannot watch one more agent in "${d.agent}": it watches ${d.watchCountMax} already`,
    remedy: "End watches that are no longer wanted: `watch` returns the function that does",
  },
  TIMERS_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: true,
    message: (d: { agent: string; timerCountMax: number }) =>
      `Cannot set a timer in "${d.agent}": ${d.timerCountMax} wait already`,
    remedy: "Cancel timers that are no longer wanted, or set fewer",
  },
  NOT_ATTACHED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; member: string }) =>
      `Cannot use ${d.member} of "${d.agent}": the agent does not run in a runtime yet`,
    remedy: "Use it in hooks and handlers, not in the constructor",
  },
  HANDLER_RESULT: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { agent: string; found: string }) =>
      `Cannot reply from "${d.agent}": the handler returned ${d.found}, want a plain object or undefined`,
    remedy: "Return an object, or nothing",
  },
  SCHEMA_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; type: string; reason: string }) =>
      `Cannot check a message of type "${d.type}" for "${d.agent}": its schema failed: ${d.reason}`,
    remedy: "Correct the schema in the agent's class: it has to answer at once and must not throw",
  },
  OPTION_INVALID: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; option: string; found: string; wanted: string }) =>
      `Cannot configure "${d.agent}": ${d.option} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the option",
  },
});

/** Errors of supervision: trees, starts and restarts. */
export const supervisionErrors = defineErrors("AGENTRT_SUPERVISION", {
  DUPLICATE_NAME: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { name: string }) =>
      `Cannot register "${d.name}": the name is taken, and names are unique over agents and supervisors`,
    remedy: "Rename one of the two",
  },
  UNKNOWN_NAME: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { name: string }) =>
      `Cannot find "${d.name}": no agent or supervisor of the tree has that name`,
    remedy: "Correct the name; `agentrt topology show` lists what runs",
  },
  TOO_MANY_REQUESTS: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { supervisor: string; requestCountMax: number }) =>
      `Cannot ask "${d.supervisor}": ${d.requestCountMax} requests wait there already`,
    remedy: "Await stops and restarts of children, or ask more slowly",
  },
  NOT_AN_AGENT: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { name: string; action: string }) =>
      `Cannot ${d.action} "${d.name}" by itself: it is a supervisor, want an agent`,
    remedy: "Name the agents below it",
  },
  ELSEWHERE: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { name: string; action: string }) =>
      `Cannot ${d.action} "${d.name}" from here: it is in another process`,
    remedy: "Ask the control plane, which asks that process, or the runtime of that process",
  },
  START_FAILED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { name: string; reason: string }) => `Cannot start "${d.name}": ${d.reason}`,
    remedy:
      "Correct the start hook or the configuration; the log and this error's `cause` say where it failed",
  },
  RESTARTS_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: {
      supervisor: string;
      child: string;
      restartCountMax: number;
      restartWindowMs: number;
    }) =>
      `Cannot restart "${d.child}": supervisor "${d.supervisor}" saw more than ${d.restartCountMax} crashes in ${d.restartWindowMs} ms`,
    remedy: "Correct the cause of the crashes, or raise `restartCountMax`",
  },
  OPTION_INVALID: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { supervisor: string; option: string; found: string; wanted: string }) =>
      `Cannot configure supervisor "${d.supervisor}": ${d.option} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the option",
  },
  CHILD_ENDED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { child: string }) =>
      `Cannot keep "${d.child}" running: it ended by itself, and its supervisor's children are permanent`,
    remedy:
      "Nothing: its supervisor restarts it; use `restart: transient` for children that may end",
  },
  HOLD_LOST: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: { supervisor: string }) =>
      `Cannot change the children of "${d.supervisor}": it is being stopped`,
    remedy: "Start the tree from the new description",
  },
  NOT_STARTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: { runtime: string; status: string; wanted: string }) =>
      `Cannot use runtime "${d.runtime}": it is ${d.status}, want ${d.wanted}`,
    remedy: "Call start() first and stop() last; a stopped runtime is not started again",
  },
});

/** Errors of streamed replies. `details.reason` is the word that travels with the frame. */
export const streamErrors = defineErrors("AGENTRT_STREAM", {
  FIRST_CHUNK_TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: {
      address: string;
      firstChunkTimeoutMs: number;
      reason: string;
      isSuspended?: true;
    }) =>
      `Cannot stream from "${d.address}": no chunk came within ${d.firstChunkTimeoutMs} ms${d.isSuspended === true ? ": it is suspended" : ""}`,
    remedy: "Raise `firstChunkTimeoutMs`, or look at the agent's mailbox depth and handler",
  },
  IDLE_TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { address: string; idleTimeoutMs: number; reason: string }) =>
      `Cannot stream from "${d.address}": no further chunk came within ${d.idleTimeoutMs} ms`,
    remedy: "Raise `idleTimeoutMs`, or find what the producer waits for",
  },
  DURATION_EXCEEDED: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: false,
    message: (d: { address: string; durationMsMax: number; reason: string }) =>
      `Cannot stream from "${d.address}" any longer: the stream is ${d.durationMsMax} ms old`,
    remedy: "Raise `durationMsMax`, or ask in smaller portions",
  },
  SLOW_CONSUMER: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: {
      address: string;
      idleTimeoutMs: number;
      waitingChunkCount: number;
      reason: string;
    }) =>
      `Cannot stream from "${d.address}" any longer: ${d.waitingChunkCount} chunks wait and the consumer took none within ${d.idleTimeoutMs} ms`,
    remedy: "Take chunks faster, raise `idleTimeoutMs`, or leave streams that are not read",
  },
  OUT_OF_ORDER: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { address: string; expected: number; found: number; reason: string }) =>
      `Cannot stream from "${d.address}": frame ${d.found} came, want frame ${d.expected}`,
    remedy: "Ask again; frames were lost or swapped on the way",
  },
  TRUNCATED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { address: string; received: number; sent: number; reason: string }) =>
      `Cannot stream from "${d.address}": it ended after ${d.sent} chunks, of which ${d.received} came`,
    remedy: "Ask again; chunks were lost on the way",
  },
  TOO_MANY_CHUNKS: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { address: string; chunkCountMax: number; reason: string }) =>
      `Cannot stream from "${d.address}" any longer: it sends more than ${d.chunkCountMax} chunks`,
    remedy: "Raise `chunkCountMax`, or ask for less",
  },
  CHUNK_TOO_LARGE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: {
      address: string;
      index: number;
      sizeBytes: number;
      chunkSizeBytesMax: number;
      reason: string;
    }) =>
      `Cannot stream from "${d.address}" any longer: chunk ${d.index} has ${d.sizeBytes} bytes, want ${d.chunkSizeBytesMax} or less`,
    remedy: "Raise `chunkSizeBytesMax`, or let the producer send smaller chunks",
  },
  CANCELLED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: { agent: string; reason: string }) =>
      `Cannot send a chunk from "${d.agent}": the stream is over: ${d.reason}`,
    remedy: "Nothing: let it end the handler; it is not a failure of the agent",
  },
  NOT_A_REPLY: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { agent: string }) =>
      `Cannot reply to a call of "${d.agent}": its handler streams, want a plain object`,
    remedy: "Ask with stream() instead of call()",
  },
  EMITS_NOT_AWAITED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { agent: string; waitingChunkCountMax: number }) =>
      `Cannot send a chunk from "${d.agent}": ${d.waitingChunkCountMax} wait for the consumer already`,
    remedy: "Await each emit(): it settles when there is room",
  },
  READS_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { address: string; readCountMax: number }) =>
      `Cannot read the stream from "${d.address}": ${d.readCountMax} reads wait already`,
    remedy: "Await next() before the next one, or use for await",
  },
  STREAMS_EXHAUSTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; streamCountMax: number }) =>
      `Cannot ask for a stream in "${d.agent}": ${d.streamCountMax} are open already`,
    remedy: "Leave streams that are no longer read, with break or return()",
  },
});
