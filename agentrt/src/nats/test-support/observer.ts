import {
  type JetStreamManager,
  loadJetStream,
  loadNatsClient,
  type NatsClient,
  type NatsConnection,
} from "../index.ts";

/** Somebody else at a server: looks into streams, and sends what our own processes would not. */
export interface Observer extends AsyncDisposable {
  readonly client: NatsClient;
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  /** @returns How many messages a stream has. */
  messageCountOf(stream: string): Promise<number>;
  /** Deletes a stream with all that it has. */
  deleteStream(stream: string): Promise<void>;
}

/** Connects to a server of a test. */
export async function connectObserver(url: string): Promise<Observer> {
  const client = await loadNatsClient();
  const connection = await client.connect({
    servers: [url],
    name: "observer",
    timeout: 5000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    pingInterval: 10_000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  });
  const manager = await (await loadJetStream()).jetstreamManager(connection);
  return {
    client,
    connection,
    manager,
    deleteStream: async (stream) => {
      const { streams } = manager;
      const deleting = streams as typeof streams & { delete(name: string): Promise<boolean> };
      await deleting.delete(stream);
    },
    messageCountOf: async (stream) => {
      const info = await manager.streams.info(stream);
      return (info as unknown as { readonly state: { readonly messages: number } }).state.messages;
    },
    [Symbol.asyncDispose]: async () => await connection.close(),
  };
}
