import { Agent, get } from "node:http";
import { askOnAndOn, type Running, type Seen, wholeAnswer } from "./client.ts";

/** Node's own client over HTTP/1.1, on connections that it keeps. */
export function keepAliveClient(port: number): Running {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return askOnAndOn(
    { name: "node:http, kept alive", protocol: "HTTP/1.1" },
    async () => await ask(port, agent),
  );
}

function ask(port: number, agent: Agent): Promise<Partial<Seen>> {
  return new Promise((resolve) => {
    let sentS: number | undefined;
    const fail = (error: string): void =>
      resolve(sentS === undefined ? {} : { failures: [{ sentS, error }] });
    const request = get({ port, host: "127.0.0.1", path: "/slow", agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => {
        if (response.statusCode === 200 && body === wholeAnswer) resolve({ ok: 1 });
        else fail(`status ${response.statusCode} ${body}`);
      });
      response.on("error", (error) => fail(error.message));
    });
    // Handed to the system.
    request.on("finish", () => (sentS = Date.now() / 1000));
    request.on("error", (error) => fail(error.message));
  });
}
