import { connect } from "@nats-io/transport-node";
import { Proxy, Publisher, Subscriber, XPublisher, XSubscriber } from "zeromq";

/** Asks the other process for the echo of some bytes. */
export type RawCall = (bytes: Uint8Array) => Promise<Uint8Array>;

/** A connection of the raw client library. */
export interface RawConnection extends AsyncDisposable {
  readonly call: RawCall;
}

const echoTopic = "bench.echo";

/** Answers calls with what `answer` makes of them. */
export async function serveRaw(
  [transport, first = "", second = ""]: readonly string[],
  answer: (bytes: Uint8Array) => Uint8Array,
): Promise<void> {
  if (transport === "nats") {
    const connection = await connect({ servers: first });
    connection.subscribe(echoTopic, {
      callback: (_error, message) => void message.respond(answer(message.data)),
    });
    await connection.flush();
    return;
  }
  const socket = await connectZmq(first, second, `${echoTopic}\0`);
  void receive(socket, (head, body) => socket.send(head, answer(body)));
}

/** Connects as a caller. */
export async function connectRaw([
  transport,
  first = "",
  second = "",
]: readonly string[]): Promise<RawConnection> {
  if (transport === "nats") {
    const connection = await connect({ servers: first });
    return {
      call: async (bytes) => (await connection.request(echoTopic, bytes, { timeout: 30_000 })).data,
      [Symbol.asyncDispose]: async () => await connection.close(),
    };
  }
  const own = `bench.caller.${crypto.randomUUID()}`;
  const socket = await connectZmq(first, second, `${own}\0`);
  const waiting = new Map<number, (bytes: Uint8Array) => void>();
  let last = 0;
  void receive(socket, (head, body) => {
    const id = Number(head.split("\0")[1]);
    waiting.get(id)?.(body);
    waiting.delete(id);
  });
  return {
    call: (bytes) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        socket.send(`${echoTopic}\0${own}\0${last}`, bytes);
      }),
    [Symbol.asyncDispose]: async () => socket.close(),
  };
}

/** Runs the proxy that callers and servers of ZeroMQ meet at. */
export async function startRawProxy(pub: string, sub: string): Promise<() => void> {
  const [front, back] = [new XSubscriber(), new XPublisher()];
  await front.bind(pub);
  await back.bind(sub);
  const proxy = new Proxy(front, back);
  void proxy.run();
  return () => {
    proxy.terminate();
    front.close();
    back.close();
  };
}

class RawSocket {
  readonly publisher = new Publisher({ linger: 0 });
  readonly subscriber = new Subscriber({ linger: 0 });
  /** One `send` at a time, as the library wants it. */
  #sending: Promise<void> = Promise.resolve();

  send(head: string, body: Uint8Array): void {
    this.#sending = this.#sending.then(() => this.publisher.send([head, body]));
  }

  close(): void {
    this.publisher.close();
    this.subscriber.close();
  }
}

async function connectZmq(pub: string, sub: string, topic: string): Promise<RawSocket> {
  const socket = new RawSocket();
  socket.publisher.connect(pub);
  socket.subscriber.connect(sub);
  socket.subscriber.subscribe(topic);
  return socket;
}

/** `caller` of a request is the second part of its head, and the first of an answer's. */
async function receive(
  socket: RawSocket,
  take: (head: string, body: Uint8Array) => void,
): Promise<void> {
  for await (const [head, body] of socket.subscriber) {
    if (head === undefined || body === undefined) throw new Error("a message has two parts");
    const [topic = "", ...rest] = head.toString().split("\0");
    take(topic === echoTopic ? rest.join("\0") : head.toString(), body);
  }
}
