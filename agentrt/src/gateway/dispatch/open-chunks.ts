import { type JsonObject, type System, TableError } from "../../core/index.ts";

type Chunks = AsyncIterator<JsonObject, undefined>;

/**
 * Asks for the first chunk of a streamed reply, and looks whether there is an agent to give one, so that a status
 * says that an agent is stopped, and not an event behind the status of a stream that has begun.
 *
 * @param chunks The reply; nothing was asked of it yet.
 * @param system For the turn of the event loop in which a refusal comes.
 * @returns The same chunks.
 * @throws AGENTRT_AGENT_STOPPED, AGENTRT_AGENT_SUSPENDED, AGENTRT_BUS_PAYLOAD_INVALID, AGENTRT_CIRCUIT_OPEN, AGENTRT_KEY_*. Other failures stay those of the first chunk.
 */
export async function openChunks(chunks: Chunks, system: System): Promise<Chunks> {
  const first = chunks.next();
  const refusal = first.then(
    () => undefined,
    (error: unknown) => error,
  );
  const turn = new Promise<undefined>((resolve) => system.yieldTurn(() => resolve(undefined)));
  const found = await Promise.race([refusal, turn]);
  if (found instanceof TableError && isRefusal(found.code)) throw found;
  let waiting: typeof first | undefined = first;
  return {
    next() {
      const step = waiting ?? chunks.next();
      waiting = undefined;
      return step;
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  };
}

/** True for what refuses a message before any agent has seen it. */
function isRefusal(code: string): boolean {
  return (
    code === "AGENTRT_AGENT_STOPPED" ||
    code === "AGENTRT_AGENT_SUSPENDED" ||
    code === "AGENTRT_BUS_PAYLOAD_INVALID" ||
    code === "AGENTRT_CIRCUIT_OPEN" ||
    code.startsWith("AGENTRT_KEY_")
  );
}
