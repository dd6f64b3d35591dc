/** Messages over ZeroMQ: who gets what, from when on, and what becomes of it when the proxy hangs, dies and comes back. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { runProgram, startProgram } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { freeAddresses } from "../test-support/link-cases.ts";
import { makeCurveKeys, ZmqLink, type ZmqLinkEvent, type ZmqLinkOptions } from "./index.ts";
import { prefixOf, writeHead } from "./frames.ts";
import { loadZmqClient } from "./load-client.ts";
import { startProxy } from "./zmq-proxy.ts";

type Addresses = Awaited<ReturnType<typeof freeAddresses>>;

const system = createRealSystem();
const receiverProgram = fileURLToPath(new URL("../fixtures/zmq-receiver.ts", import.meta.url));
const proxyProgram = fileURLToPath(new URL("../fixtures/zmq-proxy.ts", import.meta.url));

/** A link with what happened to it. */
class WatchedLink extends ZmqLink implements AsyncDisposable {
  readonly events: ZmqLinkEvent[];
  readonly #waiting: Set<() => void>;

  constructor(addresses: Addresses, options: Partial<ZmqLinkOptions> = {}) {
    const events: ZmqLinkEvent[] = [];
    const waiting = new Set<() => void>();
    super({
      ...addresses,
      isProxyStarted: false,
      system,
      onEvent: (event) => {
        events.push(event);
        for (const look of waiting) look();
      },
      ...options,
    });
    this.events = events;
    this.#waiting = waiting;
  }

  /** Settles when so many things of a kind have happened. */
  async happened(kind: ZmqLinkEvent["kind"], count = 1): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.events.filter((event) => event.kind === kind).length >= count) resolve();
    };
    this.#waiting.add(look);
    look();
    await promise;
    this.#waiting.delete(look);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** A proxy in another process. */
async function runProxy(addresses: Addresses) {
  const words = [proxyProgram, addresses.pubAddress, addresses.subAddress];
  const program = startProgram(process.execPath, words);
  await program.waitFor(/ready;/);
  return program;
}

async function startInProcess(addresses: Addresses): Promise<AsyncDisposable> {
  const proxy = await startProxy(await loadZmqClient(), addresses);
  return { [Symbol.asyncDispose]: async () => await proxy.stop() };
}

/** Takes texts for a topic, and waits for them. */
async function inboxOf(link: ZmqLink, topic: string) {
  const texts: string[] = [];
  let look = (): void => undefined;
  const end = await link.subscribe(topic, (bytes) => {
    texts.push(Buffer.from(bytes).toString());
    look();
  });
  return {
    texts,
    end,
    until: async (text: string): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      look = () => texts.includes(text) && resolve();
      look();
      await promise;
    },
  };
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

test("an address gets what is for it, and nothing for one that begins like it", async () => {
  const addresses = await freeAddresses();
  await using _ = await startInProcess(addresses);
  await using sender = new WatchedLink(addresses);
  await using receiver = new WatchedLink(addresses);
  await Promise.all([sender.start(), receiver.start()]);
  const names = ["a", "ab", "", "a%00", "a\0", "a%2500", "ä", "_process.1"];
  const boxes = await Promise.all(names.map(async (name) => await inboxOf(receiver, name)));
  for (const name of names) sender.publish(name, bytesOf(`for ${name}`));
  await Promise.all(boxes.map(async ({ until }, index) => await until(`for ${names[index]}`)));
  assert.deepEqual(
    boxes.map(({ texts }) => texts),
    names.map((name) => [`for ${name}`]),
  );
});

test("the first message after a subscription comes, and none after its end", async () => {
  const addresses = await freeAddresses();
  await using _ = await startInProcess(addresses);
  await using sender = new WatchedLink(addresses);
  await using receiver = new WatchedLink(addresses);
  await Promise.all([sender.start(), receiver.start()]);
  for (let count = 0; count < 50; count += 1) {
    const { until, end } = await inboxOf(receiver, `topic ${count}`);
    sender.publish(`topic ${count}`, bytesOf("first"));
    await until("first");
    end();
    end();
  }
  const { texts, end } = await inboxOf(receiver, "topic 0");
  end();
  sender.publish("topic 0", bytesOf("late"));
  await sender.flush();
  const { until } = await inboxOf(receiver, "last");
  sender.publish("last", bytesOf("end"));
  await until("end");
  assert.deepEqual(texts, []);
});

test("a message of each length comes whole, whether it goes in one part or in pieces", async () => {
  const addresses = await freeAddresses();
  await using sender = new WatchedLink(addresses, { isProxyStarted: true });
  await using receiver = new WatchedLink(addresses);
  await Promise.all([sender.start(), receiver.start()]);
  const { texts, until } = await inboxOf(receiver, "box");
  const sent = [0, 1, 127, 128, 129, 256, 257, 1023, 1024, 1025, 5000].map((length) =>
    "abcdefg".repeat(1000).slice(0, length),
  );
  for (const text of [...sent, "end"]) {
    sender.publish("box", bytesOf(text));
    // Alone in its turn.
    await sender.flush();
  }
  await until("end");
  assert.deepEqual(texts, [...sent, "end"]);
  assert.deepEqual(receiver.losses, { unsentCount: 0, missingCount: 0 });
});

test("a message that cannot be used is an event with the reason, and those after it come", async () => {
  const addresses = await freeAddresses();
  await using sender = new WatchedLink(addresses, { isProxyStarted: true });
  await using receiver = new WatchedLink(addresses);
  await Promise.all([sender.start(), receiver.start()]);
  const { texts, until } = await inboxOf(receiver, "box");
  await receiver.subscribe("broken", () => {
    throw new Error("a receiver that fails");
  });
  const foreign = new (await loadZmqClient()).Publisher({ linger: 0 });
  try {
    foreign.connect(addresses.pubAddress);
    const prefix = prefixOf("box");
    const headOf = (kind: "messages" | "pieces") =>
      writeHead(prefix, { kind, sequence: 1, sender: "foreign" });
    while (!texts.includes("first")) {
      await foreign.send([headOf("messages"), bytesOf("first")]);
      await new Promise(setImmediate);
    }
    const half = Buffer.alloc(600_000);
    await foreign.send([headOf("pieces"), half, half]);
    await receiver.happened("failed", 1);
    const unknown = headOf("messages");
    unknown[prefix.length] = 9;
    await foreign.send([unknown, bytesOf("?")]);
    await receiver.happened("failed", 2);
    sender.publish("broken", bytesOf("?"));
    await receiver.happened("failed", 3);
    sender.publish("box", bytesOf("end"));
    await until("end");
  } finally {
    foreign.close();
  }
  assert.deepEqual(new Set(texts), new Set(["first", "end"]));
  assert.deepEqual(
    receiver.events.flatMap((event) => (event.kind === "failed" ? [event.reason] : [])),
    [
      "a message of 1200000 bytes came; it may have 1048576",
      "a message of another form came: perhaps another version of agentrt sends it; all processes of a topology need one version",
      "a receiver that fails",
    ],
  );
});

test("thousands of addresses are taken at once, and again by a proxy that comes back", async () => {
  const addresses = await freeAddresses();
  await using proxies = new AsyncDisposableStack();
  const first = proxies.use(await runProxy(addresses));
  await using sender = new WatchedLink(addresses);
  await using receiver = new WatchedLink(addresses);
  await Promise.all([sender.start(), receiver.start()]);
  const names = Array.from({ length: 5000 }, (_, index) => `agent ${index}`);
  let came: string[] = [];
  let lookForAll = (): void => undefined;
  const take = (name: string) => (): void => {
    came.push(name);
    lookForAll();
  };
  await Promise.all(names.map(async (name) => await receiver.subscribe(name, take(name))));
  const sendToAll = async (): Promise<string[]> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    came = [];
    lookForAll = () => came.length === names.length && resolve();
    for (const name of names) sender.publish(name, bytesOf("hello"));
    await promise;
    return came;
  };
  assert.deepEqual(await sendToAll(), names);
  first.kill("SIGKILL");
  await first.exited();
  await Promise.all([sender.happened("disconnected"), receiver.happened("disconnected")]);
  proxies.use(await runProxy(addresses));
  await Promise.all([sender.happened("connected"), receiver.happened("connected")]);
  assert.deepEqual(await sendToAll(), names);
});

/** A sender and a receiver that have started, with the proxy of one of both. */
async function startPair(proxyOf: "sender" | "receiver" | "neither") {
  const addresses = await freeAddresses();
  await using stack = new AsyncDisposableStack();
  if (proxyOf === "neither") stack.use(await startInProcess(addresses));
  const sender = new WatchedLink(addresses, { isProxyStarted: proxyOf === "sender" });
  const receiver = new WatchedLink(addresses, { isProxyStarted: proxyOf === "receiver" });
  // Who has the proxy ends last.
  for (const link of proxyOf === "sender" ? [sender, receiver] : [receiver, sender])
    stack.use(link);
  await Promise.all([sender.start(), receiver.start()]);
  const moved = stack.move();
  return { sender, receiver, [Symbol.asyncDispose]: async () => await moved.disposeAsync() };
}

for (const proxyOf of ["neither", "sender", "receiver"] as const) {
  test(`many messages of one turn, small and large, come in the order sent; proxy of: ${proxyOf}`, async () => {
    await using pair = await startPair(proxyOf);
    const { sender, receiver } = pair;
    const { texts, until } = await inboxOf(receiver, "all");
    const sent = Array.from({ length: 3000 }, (_, index) =>
      index % 500 === 7 ? `${index} ${"x".repeat(300_000)}` : String(index),
    );
    for (const text of sent) sender.publish("all", bytesOf(text));
    sender.publish("all", bytesOf("end"));
    await until("end");
    assert.ok(texts.slice(0, -1).every((text, index) => text === sent[index]));
    assert.equal(texts.length, sent.length + 1);
    assert.deepEqual(receiver.losses, { unsentCount: 0, missingCount: 0 });
  });

  test(`more than a socket has room for waits, and all of it comes; proxy of: ${proxyOf}`, async () => {
    await using pair = await startPair(proxyOf);
    const { sender, receiver } = pair;
    const boxes = [await inboxOf(receiver, "one"), await inboxOf(receiver, "other")] as const;
    // To one after the other, so that each message is sent by itself.
    for (let count = 0; count < 9000; count += 1)
      sender.publish(count % 2 === 0 ? "one" : "other", bytesOf(String(count)));
    await Promise.all([boxes[0].until("8998"), boxes[1].until("8999")]);
    for (const [index, { texts }] of boxes.entries())
      assert.deepEqual(
        texts,
        Array.from({ length: 4500 }, (__, at) => String(2 * at + index)),
      );
  });
}

test("a proxy that is killed and comes back is found again; each message came in its time, or is counted", async () => {
  const addresses = await freeAddresses();
  await using proxies = new AsyncDisposableStack();
  let proxy = proxies.use(await runProxy(addresses));
  await using sender = new WatchedLink(addresses);
  await using receiver = new WatchedLink(addresses);
  await Promise.all([sender.start(), receiver.start()]);
  const { texts, until } = await inboxOf(receiver, "box");
  const sent: string[] = [];
  const send = (text: string): void => {
    sender.publish("box", bytesOf(text));
    sent.push(text);
  };
  for (let round = 1; round <= 5; round += 1) {
    send(`before ${round}`);
    await until(`before ${round}`);
    // While it hangs, what is sent is on its way to it; then it dies.
    proxy.kill("SIGSTOP");
    for (let count = 1; count <= 20; count += 1) {
      send(`under way ${round}.${count}`);
      await new Promise(setImmediate);
    }
    proxy.kill("SIGKILL");
    await proxy.exited();
    await Promise.all([
      sender.happened("disconnected", round),
      receiver.happened("disconnected", round),
    ]);
    assert.throws(() => sender.publish("box", bytesOf("refused")), { code: "AGENTRT_LINK_DOWN" });
    proxy = proxies.use(await runProxy(addresses));
    await Promise.all([sender.happened("connected", round), receiver.happened("connected", round)]);
    send(`after ${round}`);
    await until(`after ${round}`);
  }
  const came = new Set(texts);
  assert.deepEqual(
    texts,
    sent.filter((text) => came.has(text)),
  );
  assert.equal(receiver.losses.missingCount, sent.length - texts.length);
});

test("what a proxy that hangs does not take fills a queue, which then refuses; what is dropped with it is counted", async () => {
  const addresses = await freeAddresses();
  await using proxy = await runProxy(addresses);
  await using sender = new WatchedLink(addresses);
  await sender.start();
  proxy.kill("SIGSTOP");
  const large = new Uint8Array(1_000_000);
  let count = 0;
  try {
    for (; count < 100_000; count += 1) {
      sender.publish("nobody", large);
      await new Promise(setImmediate);
    }
  } catch (error) {
    assert.equal((error as { code?: string }).code, "AGENTRT_LINK_FULL");
  }
  assert.ok(count < 100_000);
  proxy.kill("SIGKILL");
  await proxy.exited();
  await sender.happened("lost");
  assert.ok(sender.losses.unsentCount > 0 && sender.losses.unsentCount <= count);
});

test("a process that hangs delays no other; what the proxy drops for it is counted when it goes on", async () => {
  const addresses = await freeAddresses();
  await using _ = await startInProcess(addresses);
  await using sender = new WatchedLink(addresses);
  await using other = new WatchedLink(addresses);
  await Promise.all([sender.start(), other.start()]);
  const { texts, until } = await inboxOf(other, "box");
  const words = [receiverProgram, addresses.pubAddress, addresses.subAddress];
  await using hung = startProgram(process.execPath, words);
  await hung.waitFor(/ready;/);
  // Where it hangs so long that the proxy gives it up, it still knows which message comes next.
  sender.publish("box", bytesOf("first"));
  await hung.waitFor(/first;/);
  await until("first");
  hung.kill("SIGSTOP");
  const messageCount = 25_000;
  const filling = "x".repeat(1000);
  for (let count = 1; count <= messageCount; count += 1) {
    // One message a turn, so that each is sent by itself; and no more at once than the other one takes.
    const text = count % 1000 === 0 ? `mark ${count}` : filling;
    sender.publish("box", bytesOf(text));
    if (text === filling) await new Promise(setImmediate);
    else await until(text);
  }
  assert.equal(texts.length, messageCount + 1);
  hung.kill("SIGCONT");
  // It has room for an end again as soon as it has taken some.
  const exited = hung.exited();
  const sendEnd = async (): Promise<undefined> => {
    sender.publish("box", bytesOf("end"));
    await sender.flush();
  };
  let exit: Awaited<typeof exited> | undefined;
  while (exit === undefined) {
    exit = await Promise.race([exited, sendEnd()]);
  }
  const { stdout } = exit;
  const { count, missing } = JSON.parse(/\{.*\}/.exec(stdout)?.[0] ?? "") as {
    readonly count: number;
    readonly missing: number;
  };
  assert.ok(missing > 0 && count + missing >= messageCount, stdout);
  assert.deepEqual(other.losses, { unsentCount: 0, missingCount: 0 });
});

test("a start waits for a proxy, says so, and ends with the addresses when none comes", async () => {
  const addresses = await freeAddresses();
  await using early = new WatchedLink(addresses);
  const started = early.start();
  await early.happened("waiting");
  await using _ = await startInProcess(addresses);
  await started;

  const nobody = await freeAddresses();
  await using lonely = new WatchedLink(nobody, { connectTimeoutMs: 100 });
  await assert.rejects(lonely.start(), {
    code: "AGENTRT_LINK_UNREACHABLE",
    message: `Cannot connect over zmq to ${nobody.pubAddress} and ${nobody.subAddress}: no proxy has answered there in 0.1 s`,
  });
  await using stopped = new WatchedLink(nobody);
  const waiting = stopped.start();
  await Promise.all([stopped.stop(), assert.rejects(waiting, { code: "AGENTRT_LINK_DOWN" })]);
});

test("a link starts its proxy, refuses an address that is taken, and frees both at its stop", async () => {
  const addresses = await freeAddresses();
  await using first = new WatchedLink(addresses, { isProxyStarted: true });
  await first.start();
  await using second = new WatchedLink(addresses, { isProxyStarted: true });
  await assert.rejects(second.start(), {
    code: "AGENTRT_LINK_PROXY",
    message: `Cannot start the proxy of transport zmq at ${addresses.pubAddress}: Address already in use`,
  });
  await first.stop();
  await first.stop();
  await using third = new WatchedLink(addresses, { isProxyStarted: true });
  await third.start();
});

test("a process that ends without a stop takes its proxy along", async () => {
  const { pubAddress, subAddress } = await freeAddresses();
  const words = [proxyProgram, pubAddress, subAddress, "exit"];
  const { code, stdout } = await runProgram(process.execPath, words);
  assert.deepEqual([code, stdout], [3, "ready;\n"]);
});

test("without its client library a link says how it is installed; with one that does not load, why", async () => {
  const addresses = await freeAddresses();
  const missing = Object.assign(new Error("no"), { code: "ERR_MODULE_NOT_FOUND" });
  for (const [error, message] of [
    [
      missing,
      "Cannot use transport zmq: its client library is not installed: run `npm install zeromq@6.8.0`",
    ],
    [
      new Error("no addon for riscv"),
      "Cannot use transport zmq: its client library does not load here: no addon for riscv",
    ],
  ] as const) {
    await using link = new WatchedLink(addresses, { loadClient: () => Promise.reject(error) });
    await assert.rejects(link.start(), { message });
  }
});

test("a link that is not started takes no subscription", async () => {
  await using link = new WatchedLink(await freeAddresses());
  await assert.rejects(
    link.subscribe("a", () => undefined),
    { code: "AGENTRT_LINK_DOWN" },
  );
});

/** A proxy that lets in whose keys are listed, and the keys of somebody who is. */
async function startSecured(addresses: Addresses) {
  const client = await loadZmqClient();
  const [server, listed] = [client.curveKeyPair(), client.curveKeyPair()];
  const allowed = new Set([listed.publicKey]);
  const asked: string[] = [];
  const isAllowed = (publicKey: string): boolean => {
    asked.push(publicKey);
    return allowed.has(publicKey);
  };
  const serverKeys = { secretKey: server.secretKey, isAllowed };
  const proxy = await startProxy(client, { ...addresses, serverKeys });
  return {
    allowed,
    asked,
    serverPublicKey: server.publicKey,
    clientKeys: { ...listed, serverPublicKey: server.publicKey },
    newPair: () => client.curveKeyPair(),
    [Symbol.asyncDispose]: async (): Promise<void> => await proxy.stop(),
  };
}

test("with CURVE, those whose keys are listed reach each other, and nobody else reaches them", async () => {
  const addresses = await freeAddresses();
  await using secured = await startSecured(addresses);
  const { clientKeys, newPair } = secured;
  await using sender = new WatchedLink(addresses, { clientKeys });
  await using receiver = new WatchedLink(addresses, { clientKeys });
  await Promise.all([sender.start(), receiver.start()]);
  const { texts, until } = await inboxOf(receiver, "box");
  sender.publish("box", bytesOf("first"));
  await until("first");
  assert.deepEqual([...new Set(secured.asked)], [clientKeys.publicKey]);

  const stranger = { ...newPair(), serverPublicKey: clientKeys.serverPublicKey };
  const mistaken = { ...clientKeys, serverPublicKey: newPair().publicKey };
  for (const [keys, reason] of [
    [stranger, "it does not allow the public key of this process"],
    [undefined, "one of both uses CURVE and the other does not"],
  ] as const) {
    await using link = new WatchedLink(addresses, { clientKeys: keys });
    const started = link.start();
    await link.happened("refused");
    const where = `${addresses.pubAddress} and ${addresses.subAddress}`;
    assert.deepEqual(link.events[0], { kind: "refused", where, reason });
    await Promise.all([link.stop(), assert.rejects(started, { code: "AGENTRT_LINK_DOWN" })]);
  }
  // It cannot read what such a client says, so it closes the connection.
  await using deaf = new WatchedLink(addresses, { clientKeys: mistaken, connectTimeoutMs: 1000 });
  await assert.rejects(deaf.start(), {
    code: "AGENTRT_LINK_UNREACHABLE",
    message: /: no proxy has answered there in 1 s$/,
  });
  sender.publish("box", bytesOf("last"));
  await until("last");
  assert.deepEqual(texts, ["first", "last"]);
});

test("a process whose key is listed while it is refused gets in", async () => {
  const addresses = await freeAddresses();
  await using secured = await startSecured(addresses);
  const pair = secured.newPair();
  const clientKeys = { ...pair, serverPublicKey: secured.serverPublicKey };
  await using link = new WatchedLink(addresses, { clientKeys });
  const started = link.start();
  await link.happened("refused");
  secured.allowed.add(pair.publicKey);
  await started;
});

test("a client with CURVE does not speak to a proxy without it", async () => {
  const addresses = await freeAddresses();
  await using _ = await startInProcess(addresses);
  const { publicKey: serverPublicKey } = await makeCurveKeys();
  const clientKeys = { ...(await makeCurveKeys()), serverPublicKey };
  await using link = new WatchedLink(addresses, { clientKeys, connectTimeoutMs: 1000 });
  await assert.rejects(link.start(), { code: "AGENTRT_LINK_UNREACHABLE" });
});
