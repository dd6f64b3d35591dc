import type { Socket } from "node:net";
import type { System } from "../../core/index.ts";

const lingerTimeMs = 1_000;

/**
 * Closes a connection behind what was written: it ends this side, and waits until the client has ended its own, a second
 * at most. A socket that is closed while bytes of the client are unread, or still come, is reset, and a reset discards
 * what the client has not read yet.
 *
 * @param socket Nothing is written to it any more.
 * @param system For the bound on the wait.
 */
export function closeGently(socket: Socket, system: System): void {
  if (socket.destroyed) return;
  const timer = system.setTimer(lingerTimeMs, () => socket.destroy());
  socket.once("close", () => system.clearTimer(timer));
  socket.end();
  socket.resume();
}
