"""civitas as a rival: `bench.py call|cast <count>` prints `done <count> <microseconds>`."""
import asyncio
import logging
import sys
import time

from civitas import AgentProcess, Runtime, Supervisor

logging.disable(logging.CRITICAL)


class Echo(AgentProcess):
    handled = 0

    async def handle(self, message):
        if message.payload.get("kind") == "count":
            return self.reply({"count": Echo.handled})
        Echo.handled += 1
        return self.reply({"sequence": message.payload["sequence"]})


def payload(sequence):
    return {"sequence": sequence, "kind": "measurement", "unit": "degree-celsius", "value": 21.5}


async def call(runtime, count):
    for sequence in range(count):
        reply = await runtime.ask("echo", payload(sequence))
        assert reply.payload["sequence"] == sequence


async def cast(runtime, count):
    for sequence in range(count):
        await runtime.send("echo", payload(sequence))
    await runtime.ask("echo", {"kind": "count"}, timeout=120)


async def main(mode, count):
    runtime = Runtime(supervisor=Supervisor("root", children=[Echo("echo")]))
    await runtime.start()
    run = call if mode == "call" else cast
    await run(runtime, count // 5)
    before = Echo.handled
    started = time.perf_counter()
    await run(runtime, count)
    elapsed = time.perf_counter() - started
    print(f"done {Echo.handled - before} {int(elapsed * 1e6)}", flush=True)
    await runtime.stop()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
