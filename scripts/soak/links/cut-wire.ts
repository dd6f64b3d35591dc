import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A wire between processes and a broker. */
export interface CutWire {
  /** Where processes connect. */
  readonly port: number;
  /** Ends all connections, and takes no new ones until it is mended. */
  cut(): void;
  mend(): void;
  end(): void;
}

/** Lays a wire to a port of this machine. */
export async function startCutWire(to: number): Promise<CutWire> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  };
  const server = createServer({ noDelay: true }, (near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect({ port: to, host: "127.0.0.1", noDelay: true });
    keep(near, far);
    keep(far, near);
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cutNow = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      cutNow();
    },
    mend: () => void (isCut = false),
    end: () => {
      server.close();
      cutNow();
    },
  };
}
