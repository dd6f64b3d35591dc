import type { TestClient } from "testkit";
import type { CaseRequest, CaseRunner, Surface } from "./case.ts";

/** Method, target, headers and body of a row over HTTP. */
export function httpRequestOf(row: CaseRequest, surface: Surface) {
  const {
    capability,
    agent = capability ?? "echo",
    mode = "call",
    gateway = "open",
    token,
    payload = {},
  } = row;
  const route =
    gateway === "default"
      ? `/agents/${agent}${mode === "cast" ? "/cast" : ""}`
      : `/${mode}/${agent}`;
  return {
    request: row.target ?? `POST ${route}`,
    headers: {
      ...row.headers,
      ...row.headersOf?.(surface),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: row.body ?? JSON.stringify(payload),
  };
}

/** Reads what the body says: JSON, nothing, the events of a stream, or text as it is. */
export function readBody(body: string, contentType: string | undefined): unknown {
  if (contentType?.startsWith("text/event-stream") === true) {
    return body
      .split("\n\n")
      .filter((event) => event !== "" && !event.startsWith(":"))
      .map((event) =>
        Object.fromEntries(event.split("\n").map((line) => line.split(/: (.*)/s, 2))),
      );
  }
  if (body === "") return undefined;
  return contentType === "application/json" ? JSON.parse(body) : body;
}

/** Sends rows over one version of HTTP. */
export function httpRunner(client: TestClient): CaseRunner {
  const { name } = client;
  return {
    surface: name,
    async ask(server, row) {
      const { gateway = "open", certificate } = row;
      const shown = certificate === undefined ? {} : server.certificates[certificate];
      const where = { port: server.ports[gateway].http, tls: { ca: server.ca, ...shown } };
      const response = await client.ask(where, httpRequestOf(row, name)).catch(() => undefined);
      if (response === undefined) return { status: "no connection" };
      const { status, headers, body } = response;
      return { status, headers, body: readBody(body, headers["content-type"]) };
    },
  };
}
