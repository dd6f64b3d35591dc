import { randomUUID } from "node:crypto";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { startTimer, steadyMs, type Timer } from "../../system/index.ts";

/** Sessions at once; the one that was asked nothing for longest goes for a new one when it is idle. */
const sessionCountMax = 32;
/** A session ends after so long without a request. */
const idleMs = 30 * 60_000;

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  openCount: number;
  usedMs: number;
}

/** The clients of an endpoint: each has a session, from its first request until it ends it, or is silent for long. */
export class Sessions {
  readonly #connect: (transport: StreamableHTTPServerTransport) => Promise<void>;
  readonly #sessions = new Map<string, Session>();
  #timer: Timer | undefined;

  /** @param connect Connects a new server to a transport. */
  constructor(connect: (transport: StreamableHTTPServerTransport) => Promise<void>) {
    this.#connect = connect;
    this.#look();
  }

  /** @returns The session of that id; undefined where there is none. */
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** @returns A transport that becomes a session when its client begins one; undefined where there is no room. */
  async begin(): Promise<StreamableHTTPServerTransport | undefined> {
    if (this.#sessions.size >= sessionCountMax && !this.#endOldestIdle()) return undefined;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, openCount: 0, usedMs: steadyMs() });
      },
    });
    transport.onclose = () => void this.#sessions.delete(transport.sessionId ?? "");
    await this.#connect(transport);
    return transport;
  }

  /** Counts a request of a session until it is over. */
  use(session: Session): () => void {
    session.openCount += 1;
    return () => {
      session.openCount -= 1;
      session.usedMs = steadyMs();
    };
  }

  /** Ends all. */
  async close(): Promise<void> {
    this.#timer?.stop();
    await Promise.all(
      Array.from(this.#sessions.values(), async ({ transport }) => await transport.close()),
    );
  }

  #endOldestIdle(): boolean {
    const idle = [...this.#sessions.values()].filter(({ openCount }) => openCount === 0);
    const [oldest] = idle.toSorted((a, b) => a.usedMs - b.usedMs);
    if (oldest === undefined) return false;
    this.#sessions.delete(oldest.transport.sessionId ?? "");
    void oldest.transport.close();
    return true;
  }

  #look(): void {
    this.#timer = startTimer(idleMs / 30, () => {
      const now = steadyMs();
      for (const { transport, openCount, usedMs } of this.#sessions.values())
        if (openCount === 0 && now - usedMs > idleMs) void transport.close();
      this.#look();
    });
  }
}
