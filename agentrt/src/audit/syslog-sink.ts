import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { parseLine } from "./audit-line.ts";
import type { AuditSink, AuditTail } from "./audit-sink.ts";

/** The facilities of RFC 5424 by their names. */
const syslogFacilities: { readonly [name: string]: number } = {
  kern: 0,
  user: 1,
  mail: 2,
  daemon: 3,
  auth: 4,
  syslog: 5,
  lpr: 6,
  news: 7,
  uucp: 8,
  cron: 9,
  authpriv: 10,
  ftp: 11,
  audit: 13,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
};

const severityNotice = 5;
const portDefaults = { udp: 514, tcp: 601 } as const;

type Address =
  | { readonly kind: "udp" | "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/**
 * Looks at the address of a syslog server.
 *
 * @param text `udp://host:514`, `tcp://host:601`, or the path of a stream socket.
 * @returns What is wrong with it; undefined when nothing is.
 */
export function syslogAddressFault(text: string): string | undefined {
  return readAddress(text) === undefined
    ? "want udp://host:port, tcp://host:port, or the path of a stream socket"
    : undefined;
}

function readAddress(text: string): Address | undefined {
  if (text.startsWith("/")) return { kind: "unix", path: text };
  const found = /^(udp|tcp):\/\/(\[[0-9a-fA-F:]+\]|[^\s:/[\]]+)(?::(\d{1,5}))?$/.exec(text);
  if (found === null) return undefined;
  const kind = found[1] === "udp" ? "udp" : "tcp";
  const host = (found[2] ?? "").replace(/^\[|\]$/g, "");
  return { kind, host, port: Number(found[3] ?? portDefaults[kind]) };
}

/** A syslog server: messages of RFC 5424, over TCP and sockets framed by their length (RFC 6587). */
export class SyslogSink implements AuditSink {
  readonly name = "syslog";
  readonly place: string;
  readonly isUntouched = true;
  readonly #address: Address;
  readonly #head: string;
  #send: ((message: string) => Promise<void>) | undefined;
  #close: () => void = () => undefined;

  /**
   * @param options.address As `syslogAddressFault` takes it.
   * @param options.facility By name. Default `local0`.
   * @param options.pid Of this process.
   */
  constructor(options: {
    readonly address: string;
    readonly facility?: string | undefined;
    readonly pid: number;
  }) {
    const address = readAddress(options.address);
    if (address === undefined) throw new TypeError(`No syslog address: ${options.address}`);
    this.place = options.address;
    this.#address = address;
    const facility = syslogFacilities[options.facility ?? "local0"] ?? 16;
    this.#head = `<${facility * 8 + severityNotice}>1`;
    this.#pid = options.pid;
  }

  readonly #pid: number;

  async open(): Promise<AuditTail> {
    await this.release();
    const address = this.#address;
    if (address.kind === "udp") await this.#openDatagrams(address.host, address.port);
    else await this.#openStream(address);
    return { kind: "none" };
  }

  async write(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      if (this.#send === undefined) throw new Error("the connection has ended");
      const record = parseLine(line);
      const event = (record?.event ?? "-").replace(/[^!-~]/g, "_").slice(0, 32);
      const ts = record?.ts ?? "-";
      await this.#send(`${this.#head} ${ts} - agentrt ${this.#pid} ${event} - ${line}`);
    }
  }

  async release(): Promise<void> {
    this.#send = undefined;
    this.#close();
    this.#close = () => undefined;
  }

  async #openDatagrams(host: string, port: number): Promise<void> {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
    socket.unref();
    this.#close = () => void socket.close();
    let failure: Error | undefined;
    socket.on("error", (error) => {
      failure = error;
    });
    socket.connect(port, host);
    await once(socket, "connect");
    this.#send = async (message) => {
      if (failure !== undefined) {
        const error = failure;
        failure = undefined;
        throw error;
      }
      await new Promise<void>((resolve, reject) => {
        socket.send(message, (error) => {
          if (error === null) resolve();
          else reject(error);
        });
      });
    };
  }

  async #openStream(address: Address): Promise<void> {
    const socket: Socket =
      address.kind === "unix"
        ? connect({ path: address.path })
        : connect({ host: address.host, port: address.port });
    socket.unref();
    this.#close = () => void socket.destroy();
    await once(socket, "connect");
    const ended = (): void => {
      this.#send = undefined;
    };
    socket.on("error", ended);
    socket.on("close", ended);
    socket.resume();
    this.#send = async (message) => {
      const bytes = Buffer.from(message);
      await new Promise<void>((resolve, reject) => {
        socket.write(Buffer.concat([Buffer.from(`${bytes.byteLength} `), bytes]), (error) => {
          if (error === null || error === undefined) resolve();
          else reject(error);
        });
      });
    };
  }
}
