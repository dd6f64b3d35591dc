import { lookup } from "node:dns/promises";
import { Http3Client } from "../../../http3/test-support/http3-client.ts";
import type { CaseRunner } from "./case.ts";
import { httpRequestOf, readBody } from "./http-runner.ts";

/** Sends rows over HTTP/3, each on a connection of its own. */
export const http3Runner: CaseRunner = {
  surface: "HTTP/3",
  async ask(server, row) {
    const { gateway = "open", certificate } = row;
    const own = certificate === undefined ? {} : server.certificates[certificate];
    const { address: host } = await lookup("localhost");
    const port = server.ports[gateway].http;
    const client = await Http3Client.connect({ host, port, ca: server.ca, ...own }).catch(
      () => undefined,
    );
    if (client === undefined) return { status: "no connection" };
    const { request, headers, body } = httpRequestOf(row, "HTTP/3");
    const [method = "", path = ""] = request.split(/ (.*)/s, 2);
    const response = await client.request(path, { method, headers, body }).done;
    await client.close();
    const { status, outcome, text } = response;
    if (status === undefined || outcome === "broken") return { status: "no connection" };
    const { headers: shown } = response;
    return { status, headers: shown, body: readBody(text, shown["content-type"]) };
  },
};
