import { compositionErrors } from "../../node-kinds/index.ts";
import type { TransportSettings } from "../../topology/index.ts";

/** Where a worker finds the supervisor that it joins. */
export type JoinAddress = Pick<TransportSettings, "type" | "servers" | "pubAddr" | "subAddr">;

const wanted =
  "wanted nats://host:4222 or tcp://host:5559, several of NATS with commas between them";

/**
 * Reads where a worker finds its supervisor: `nats://…` for servers, `tcp://…` for the proxy of ZeroMQ, whose second port is the next
 * one unless it is named, too.
 *
 * @throws AGENTRT_COMPOSITION_JOIN_ADDRESS.
 */
export function readJoinAddress(text: string): JoinAddress {
  const urls = text.split(",").map((each) => each.trim());
  const [first = "", second, ...others] = urls;
  const refuse = (): never => {
    throw new compositionErrors.JOIN_ADDRESS({ address: text, wanted });
  };
  if (urls.every((url) => /^(?:nats|tls):\/\/[^/\s]+$/.test(url)))
    return { type: "nats", servers: urls, pubAddr: "", subAddr: "" };
  const port = /^tcp:\/\/.+:(\d{1,5})$/.exec(first)?.[1];
  if (port === undefined || others.length > 0) return refuse();
  if (second !== undefined && !/^tcp:\/\/.+:\d{1,5}$/.test(second)) return refuse();
  const next = `${first.slice(0, -port.length)}${Number(port) + 1}`;
  return { type: "zmq", servers: [], pubAddr: first, subAddr: second ?? next };
}
