import { join } from "node:path";
import { createTemporaryFolder, startProgram } from "testkit";
import type { ClientName, Running, Seen, Targets } from "./client.ts";

/** What the clients need of Python. */
export const pythonPackages = ["grpcio==1.85.1", "websockets==17.4", "aioquic==1.7.2"] as const;

/**
 * Clients of grpcio, websockets and aioquic, which ask one after the other on connections that they keep. They end when
 * their input does, and print what they saw: `{"ok": 120, "resent": 0, "failures": [{"sentS": 1.5, "error": "…"}]}`.
 */
const clients = `
import asyncio, json, ssl, sys, threading, time

ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
seen = {"ok": 0, "resent": 0, "failures": []}

def worked(is_again=False):
    if seen["ok"] == 0: print("ready", file=sys.stderr, flush=True)
    seen["ok"] += 1
    if is_again: seen["resent"] += 1

def failed(sent, error):
    seen["failures"].append({"sentS": sent, "error": str(error)[:300]})

def over_grpc(address):
    import grpc
    channel = grpc.insecure_channel(address)
    invoke = channel.unary_unary("/agentrt.Agent/Invoke",
        request_serializer=lambda b: b, response_deserializer=lambda b: b)
    while not ended.is_set():
        sent = time.time()
        try:
            invoke(b"\\x0a\\x04slow", timeout=20)
            worked()
        except grpc.RpcError as error:
            failed(sent, f"{error.code()} {error.details()}")
            time.sleep(0.05)

async def over_websocket(address):
    import websockets
    crossed = None # A message that met the server's close frame was not taken: it is sent again.
    while not ended.is_set():
        try:
            async with websockets.connect(f"ws://{address}/chat") as socket:
                while not ended.is_set():
                    sent = time.time()
                    try:
                        await socket.send("{}")
                        await asyncio.wait_for(socket.recv(), 20)
                        worked(crossed is not None)
                        crossed = None
                    except websockets.ConnectionClosed as closed:
                        if closed.rcvd is None or closed.rcvd.code != 1001: failed(sent, closed)
                        elif crossed is None: crossed = (sent, closed)
                        break
        except OSError:
            await asyncio.sleep(0.05)
        except Exception as error: # The request to upgrade was not answered.
            failed(time.time(), repr(error))
            await asyncio.sleep(0.05)
    if crossed is not None: failed(*crossed)

async def over_http3(ports, authority):
    from aioquic.asyncio.client import connect
    from aioquic.asyncio.protocol import QuicConnectionProtocol
    from aioquic.h3.connection import H3_ALPN, H3Connection
    from aioquic.h3.events import DataReceived, HeadersReceived
    from aioquic.quic.configuration import QuicConfiguration
    from aioquic.quic.events import ConnectionTerminated, StreamReset

    class Client(QuicConnectionProtocol):
        def __init__(self, *given, **named):
            super().__init__(*given, **named)
            self.http = H3Connection(self._quic)
            self.answers = {}
            self.is_over = False

        async def get(self, path):
            stream = self._quic.get_next_available_stream_id()
            answer = self.answers[stream] = {"status": None, "body": b"", "end": self._loop.create_future()}
            self.http.send_headers(stream, [(b":method", b"GET"), (b":scheme", b"https"),
                (b":authority", b"localhost"), (b":path", path)], end_stream=True)
            self.transmit()
            error = await asyncio.wait_for(answer["end"], 20)
            if error is not None: return error
            is_whole = answer["status"] == b"200" and answer["body"] == b'{"done":true}'
            return None if is_whole else f"status {answer['status']} {answer['body']}"

        def end(self, stream, error):
            answer = self.answers.pop(stream, None)
            if answer is not None and not answer["end"].done(): answer["end"].set_result(error)

        def quic_event_received(self, event):
            if isinstance(event, StreamReset): self.end(event.stream_id, f"reset with {event.error_code:#x}")
            if isinstance(event, ConnectionTerminated):
                self.is_over = True
                for stream in list(self.answers):
                    self.end(stream, f"closed with {event.error_code:#x} {event.reason_phrase}")
            for part in self.http.handle_event(event):
                answer = self.answers.get(part.stream_id)
                if answer is None: continue
                if isinstance(part, HeadersReceived): answer["status"] = dict(part.headers)[b":status"]
                if isinstance(part, DataReceived): answer["body"] += part.data
                if part.stream_ended: self.end(part.stream_id, None)

    configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, server_name="localhost")
    configuration.load_verify_locations(authority)
    turn = 0
    refused = None # One that another run may take: refused as not processed, or on a connection that has ended in order.
    while not ended.is_set():
        port = ports[turn % len(ports)]
        turn += 1
        try:
            async with asyncio.timeout(1):
                opening = connect("127.0.0.1", port, configuration=configuration, create_protocol=Client)
                client = await opening.__aenter__()
        except (OSError, TimeoutError):
            continue
        while not ended.is_set() and not client.is_over:
            sent = time.time()
            error = await client.get(b"/slow")
            if error is None:
                worked(refused is not None)
                refused = None
            elif error.startswith(("reset with 0x10b", "closed with 0x100")) and len(ports) > 1:
                refused = refused or (sent, error)
                break
            else:
                failed(sent, error)
                break
        try:
            async with asyncio.timeout(5): await opening.__aexit__(None, None, None)
        except TimeoutError:
            pass
    if refused is not None: failed(*refused)

kind, *words = sys.argv[1:]
if kind == "grpc": over_grpc(*words)
elif kind == "websocket": asyncio.run(over_websocket(*words))
else: asyncio.run(over_http3([int(port) for port in words[1:]], words[0]))
print(json.dumps(seen))
`;

/**
 * Starts them.
 *
 * @param programs Folder of Python's programs with `pythonPackages`.
 * @param targets Where.
 * @param authority Path of the PEM file of the authority that signs for HTTP/3.
 */
export function startPythonClients(
  programs: string,
  { http1, grpc, http3 }: Targets,
  authority: string,
): Running[] {
  const start = (client: ClientName, ...words: string[]): Running =>
    runPython(programs, client, words);
  return [
    start({ name: "grpcio", protocol: "gRPC" }, "grpc", `127.0.0.1:${grpc}`),
    start({ name: "websockets", protocol: "WebSocket" }, "websocket", `127.0.0.1:${http1}`),
    start({ name: "aioquic", protocol: "HTTP/3" }, "http3", authority, ...http3.map(String)),
  ];
}

function runPython(programs: string, client: ClientName, words: readonly string[]): Running {
  const folder = createTemporaryFolder({ "clients.py": clients });
  const program = startProgram(join(programs, "python"), ["clients.py", ...words], {
    workingDirectory: folder.path,
    timeoutMs: 3_600_000,
    keepInput: true,
  });
  return {
    ...client,
    ready: program.waitFor(/ready/),
    async stop() {
      program.process.stdin?.end();
      const exit = await program.exited();
      folder[Symbol.dispose]();
      if (exit.code !== 0) throw new Error(`${client.name}: ${exit.stderr}`);
      return JSON.parse(exit.stdout) as Seen;
    },
  };
}
