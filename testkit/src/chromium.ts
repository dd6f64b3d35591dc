import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "./program.ts";

/** What a browser did with a page. */
export interface PageVisit {
  /** What the page's script gave back. */
  readonly value: unknown;
  /** Errors and refusals that the browser's console told. */
  readonly complaints: readonly string[];
  /** URLs that were asked for. */
  readonly requested: readonly string[];
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
}

/**
 * Opens a page in Chromium, runs a script in it, and takes a picture.
 *
 * @param path Of Chromium.
 * @param options.url The page.
 * @param options.script An expression; promises are waited for.
 * @param options.folder For Chromium's profile and the picture `page.png`.
 * @param options.hostNames Names that lead to this machine. Default none.
 */
export async function visitPage(
  path: string,
  options: {
    readonly url: string;
    readonly script: string;
    readonly folder: string;
    readonly hostNames?: readonly string[];
  },
): Promise<PageVisit> {
  const profile = join(options.folder, "chromium");
  mkdirSync(profile, { recursive: true });
  const args = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--window-size=1000,1200",
    `--host-resolver-rules=${(options.hostNames ?? []).map((name) => `MAP ${name} 127.0.0.1`).join(", ")}`,
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
    "about:blank",
  ];
  await using program = startProgram(path, args, { timeoutMs: 60_000 });
  const [, address = ""] = await program.waitFor(/DevTools listening on (ws:\/\/\S+)/);
  const { host } = new URL(address);
  const pages = (await (await fetch(`http://${host}/json`)).json()) as readonly {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const page = pages.find(({ type }) => type === "page");
  if (page === undefined) throw new Error("Chromium has no page");
  return await drive(page.webSocketDebuggerUrl, options);
}

async function drive(
  address: string,
  {
    url,
    script,
    folder,
  }: { readonly url: string; readonly script: string; readonly folder: string },
): Promise<PageVisit> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  const requested: string[] = [];
  const loaded = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "Page.loadEventFired") loaded.resolve();
    if (message.method === "Network.requestWillBeSent") {
      const request = message.params?.["request"] as { readonly url: string } | undefined;
      requested.push(request?.url ?? "");
    }
    if (message.method === "Log.entryAdded" || message.method === "Runtime.exceptionThrown") {
      complaints.push(JSON.stringify(message.params).slice(0, 300));
    }
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  let lastId = 0;
  const say = (method: string, params: object = {}): Promise<Message> => {
    lastId += 1;
    const id = lastId;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await say(`${domain}.enable`);
  await say("Page.navigate", { url });
  await loaded.promise;
  const told = await say("Runtime.evaluate", {
    expression: script,
    awaitPromise: true,
    returnByValue: true,
  });
  const picture = await say("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(folder, "page.png"), Buffer.from(String(picture.result?.["data"]), "base64"));
  socket.close();
  const value = (told.result?.["result"] as { readonly value?: unknown } | undefined)?.value;
  return { value, complaints, requested };
}
