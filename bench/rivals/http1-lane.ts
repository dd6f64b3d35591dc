import { connect } from "node:net";
import type { Lane } from "./served.ts";

/**
 * One kept-alive connection that posts `{"sequence":n}`, the next when the reply to the last has come and is right.
 *
 * @param headers Whole lines, each with its end.
 */
export function http1Lane(headers = ""): Lane {
  const head = `POST /agents/echo HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Type: application/json\r\nContent-Length: `;
  return (port, sequences) =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      let doneCount = 0;
      let body = "";
      let received = "";
      const next = (): void => {
        const sequence = sequences.next().value;
        if (sequence === undefined) {
          socket.destroy();
          resolve(doneCount);
          return;
        }
        body = `{"sequence":${sequence}}`;
        socket.write(`${head}${body.length}\r\n\r\n${body}`);
      };
      socket.setEncoding("latin1");
      socket.on("connect", next);
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("the server closed a connection")));
      socket.on("data", (chunk: string) => {
        received += chunk;
        if (!received.endsWith("}")) return;
        if (!received.startsWith("HTTP/1.1 200 OK") || !received.endsWith(`\r\n\r\n${body}`)) {
          reject(new Error(`not the reply to ${body}: ${received}`));
          return;
        }
        received = "";
        doneCount += 1;
        next();
      });
    });
}
