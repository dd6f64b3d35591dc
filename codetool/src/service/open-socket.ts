/** A connection to a service. */
export interface ServiceSocket {
  readonly destroy: () => void;
}

/** What is heard of a connection. */
export interface SocketListener {
  readonly onOpen: () => void;
  readonly onData: (bytes: Uint8Array) => void;
  /** All was received. */
  readonly onEnd: () => void;
  /** It broke, or was never there. May come more than once. */
  readonly onFailure: () => void;
}

/** What this file uses of the runtime that the executable is built on. */
interface Runtime {
  connect(options: {
    readonly unix: string;
    readonly socket: {
      open(socket: RuntimeSocket): void;
      data(socket: RuntimeSocket, bytes: Uint8Array): void;
      end(): void;
      close(): void;
      error(): void;
      connectError(): void;
      drain(socket: RuntimeSocket): void;
    };
  }): Promise<unknown>;
}

interface RuntimeSocket {
  /** Returns how many bytes were taken. */
  write(bytes: Uint8Array): number;
  end(): void;
}

/** Connects to a socket, and sends a text. Node's own sockets take longer to load than the rest of a short answer. */
export async function openSocket(
  address: string,
  text: string,
  listener: SocketListener,
): Promise<ServiceSocket> {
  const { Bun: runtime } = globalThis as { readonly Bun?: Runtime };
  // Windows' pipes are Node's.
  if (runtime === undefined || address.startsWith("\\\\"))
    return await openNodeSocket(address, text, listener);
  return openRuntimeSocket(runtime, { address, text, listener });
}

async function openNodeSocket(
  address: string,
  text: string,
  listener: SocketListener,
): Promise<ServiceSocket> {
  const { createConnection } = await import("node:net");
  const socket = createConnection(address);
  socket.on("connect", listener.onOpen);
  socket.on("data", listener.onData);
  socket.on("end", listener.onEnd);
  socket.on("error", listener.onFailure);
  socket.on("close", listener.onFailure);
  socket.write(text);
  return { destroy: () => void socket.destroy() };
}

function openRuntimeSocket(
  runtime: Runtime,
  of: { readonly address: string; readonly text: string; readonly listener: SocketListener },
): ServiceSocket {
  const { address, text, listener } = of;
  let left: Uint8Array = Buffer.from(text);
  let opened: RuntimeSocket | undefined;
  const send = (socket: RuntimeSocket): void => {
    if (left.length > 0) left = left.subarray(Math.max(0, socket.write(left)));
  };
  const handlers = {
    open: (socket: RuntimeSocket): void => {
      opened = socket;
      listener.onOpen();
      send(socket);
    },
    drain: send,
    data: (_socket: RuntimeSocket, bytes: Uint8Array): void => listener.onData(bytes),
    end: listener.onEnd,
    close: listener.onFailure,
    error: listener.onFailure,
    connectError: listener.onFailure,
  };
  runtime.connect({ unix: address, socket: handlers }).catch(listener.onFailure);
  return { destroy: () => opened?.end() };
}
