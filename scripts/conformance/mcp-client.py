"""Drives codetool's MCP server with the Python SDK. Prints a JSON list of cases: name, and what was found where it is wrong.

Arguments: a folder, the URL of the server over HTTP, its token, then the words that start it over standard streams.
"""

import asyncio
import contextlib
import json
import os
import sys
import traceback
from pathlib import Path

import httpx2
import jsonschema
import mcp.types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

FOLDER, URL, TOKEN, *WORDS = sys.argv[1:]
CALLS = {
    "search": {"query": "schedule"},
    "read": {"file": "src/retry.ts"},
    "find": {},
    "edit": {"file": "README.md", "find": ["Retries"], "replace": ["Attempts"]},
    "rename": {"old": "twice", "new": "thrice"},
    "outline": {"path": "src"},
    "context": {"path": "src"},
    "map": {},
    "impact": {"file": "src/retry.ts"},
    "explain": {"symbol": "twice"},
    "exists": {"pattern": "twice"},
    "run": {"command": [sys.executable, "-c", "print(7)"]},
    "diff": {},
    "index": {},
    "stats": {},
    "bench": {},
}
CASES = []


def case(name):
    def add(run):
        CASES.append((name, run))
        return run

    return add


def wanted(found, expected):
    if found != expected:
        raise AssertionError(f"wanted {expected!r}, found {found!r}")


async def refused(waiting, code):
    try:
        await waiting
    except MCPError as error:
        wanted(error.error.code, code)
        return
    raise AssertionError("wanted an error, found an answer")


async def roots(_context):
    return types.ListRootsResult(roots=[types.Root(uri=Path(FOLDER).as_uri())])


@contextlib.asynccontextmanager
async def over_streams(token=None):
    server = StdioServerParameters(command=WORDS[0], args=[*WORDS[1:], "mcp"], cwd=FOLDER)
    async with Client(server, list_roots_callback=roots) as client:
        yield client


@contextlib.asynccontextmanager
async def over_http(token=TOKEN):
    # A hundred calls take the hundred connections that are the default, and none is left to answer what the server asks.
    limits = httpx2.Limits(max_connections=200)
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120, limits=limits) as http:
        async with Client(streamable_http_client(URL, http_client=http), list_roots_callback=roots) as client:
            yield client


@case("every tool answers, as its schema says")
async def tools(client):
    listed = (await client.list_tools()).tools
    wanted(sorted(tool.name for tool in listed), sorted(CALLS))
    for tool in listed:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.validate(CALLS[tool.name], tool.input_schema)
        result = await client.call_tool(tool.name, CALLS[tool.name])
        wanted((tool.name, result.is_error, json.loads(result.content[0].text)), (tool.name, False, result.structured_content))
        jsonschema.validate(result.structured_content, tool.output_schema)


@case("a wrong name, a wrong argument and a file outside of the roots are refused")
async def wrong(client):
    await refused(client.call_tool("serch", {}), -32602)
    for arguments, code in (({"file": "src/retry.ts", "lins": 1}, "invalid_argument"), ({"file": "/etc/passwd"}, "permission_denied")):
        result = await client.call_tool("read", arguments)
        wanted((result.is_error, result.structured_content["error"]["code"]), (True, code))


@case("a hundred calls at once are answered")
async def many(client):
    calls = [client.call_tool("exists", {"pattern": f"twice{number}" if number % 2 else "twice"}) for number in range(100)]
    found = [result.structured_content["data"]["exists"] for result in await asyncio.gather(*calls)]
    wanted(found, [number % 2 == 0 for number in range(100)])


@case("progress grows, up to its total")
async def progress(client):
    reports = []

    async def report(done, total, message):
        reports.append((done, total, message))

    for name in os.listdir(FOLDER):
        if name == ".codetool":
            os.rename(os.path.join(FOLDER, name), os.path.join(FOLDER, f".old-{len(os.listdir(FOLDER))}"))
    await client.call_tool("index", {}, progress_callback=report)
    if not reports or [each[0] for each in reports] != sorted({each[0] for each in reports}):
        raise AssertionError(f"wanted reports that grow, found {reports!r}")


@case("a cancelled call ends its program, and the next call is answered")
async def cancel(client):
    mark = Path(FOLDER) / "started"
    mark.unlink(missing_ok=True)
    program = f"import os, pathlib, time; pathlib.Path({str(mark)!r}).write_text(str(os.getpid())); time.sleep(600)"
    call = asyncio.create_task(client.call_tool("run", {"command": [sys.executable, "-c", program]}))
    while not mark.exists() or not mark.read_text():
        await asyncio.sleep(0.05)
    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await call
    wanted((await client.call_tool("find", {})).is_error, False)
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.kill(int(mark.read_text()), 0)
            await asyncio.sleep(0.05)


@case("resources are listed and read, and others are refused")
async def resources(client):
    listed = (await client.list_resources()).resources
    file = next(str(each.uri) for each in listed if str(each.uri).endswith("/src/retry.ts"))
    wanted((await client.read_resource(file)).contents[0].text, (Path(FOLDER) / "src/retry.ts").read_text())
    templates = (await client.list_resource_templates()).resource_templates
    wanted([each.name for each in templates], ["file", "symbol"])
    symbol = json.loads((await client.read_resource("codetool://symbol/twice")).contents[0].text)
    wanted(symbol["definition"]["name"], "twice")
    for uri in ("file:///etc/passwd", "file://elsewhere/a", "codetool://symbol/%zz", "codetool://nothing"):
        await refused(client.read_resource(uri), -32602)
    await refused(client.list_resources(cursor="nonsense"), -32602)


@case("prompts are listed and made, and an argument that is missing is refused")
async def prompts(client):
    names = [each.name for each in (await client.list_prompts()).prompts]
    wanted(names, ["explain_symbol", "review_changes", "orient"])
    made = await client.get_prompt("explain_symbol", {"symbol": "twice"})
    wanted("`twice`" in made.messages[0].content.text, True)
    await refused(client.get_prompt("explain_symbol", {}), -32602)


@case("nobody is served without the token")
async def stranger(client):
    try:
        async with over_http("another-token"):
            pass
    except Exception:
        return
    raise AssertionError("wanted an error, found a session")


async def main():
    results = []
    for section, connect in (("standard streams", over_streams), ("HTTP", over_http)):
        for name, run in CASES:
            result = {"section": section, "name": name}
            try:
                async with asyncio.timeout(240), connect() as client:
                    await run(client)
            except Exception as error:
                while isinstance(error, ExceptionGroup):
                    error = error.exceptions[0]
                at = traceback.extract_tb(error.__traceback__)[-1].lineno
                result["found"] = f"{type(error).__name__} at line {at}: {error}"[:300]
            results.append(result)
    print(json.dumps(results))


asyncio.run(main())
