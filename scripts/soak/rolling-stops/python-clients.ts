/**
 * Clients of grpcio and of websockets, which ask one after the other on connections that they keep. They end when their
 * input does, and print what they saw: `{"ok": 120, "failures": [{"sentS": 1.5, "error": "…"}]}`.
 */
export const pythonClients = `
import asyncio, json, sys, threading, time

ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
seen = {"ok": 0, "resent": 0, "failures": []}

def worked():
    if seen["ok"] == 0: print("ready", file=sys.stderr, flush=True)
    seen["ok"] += 1

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
    while not ended.is_set():
        try:
            async with websockets.connect(f"ws://{address}/chat") as socket:
                while not ended.is_set():
                    sent = time.time()
                    try:
                        await socket.send("{}")
                        await asyncio.wait_for(socket.recv(), 20)
                        worked()
                    except websockets.ConnectionClosed as closed:
                        # A message that crossed the server's close frame was not taken: it is sent again.
                        if closed.rcvd is not None and closed.rcvd.code == 1001: seen["resent"] += 1
                        else: failed(sent, closed)
                        break
        except Exception as error:
            failed(time.time(), repr(error))
            await asyncio.sleep(0.05)

kind, address = sys.argv[1:]
if kind == "grpc": over_grpc(address)
else: asyncio.run(over_websocket(address))
print(json.dumps(seen))
`;
