"""Looks at published agents with the Python SDK of A2A. Prints a JSON list of cases: name, and what was found where it is wrong."""

import asyncio
import json
import sys
import traceback
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a
from google.protobuf.json_format import MessageToDict, ParseDict

BASE = sys.argv[1]
CASES = []


def case(name):
    def add(run):
        CASES.append((name, run))
        return run

    return add


def message(data=None, text=None, **more):
    part = {"text": text} if data is None else {"data": data}
    body = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [part], **more}
    return ParseDict({"message": body}, a2a.SendMessageRequest())


async def card_of(http, agent):
    return await A2ACardResolver(http, f"{BASE}/a2a/{agent}").get_agent_card()


async def client(http, agent, version, streaming):
    card = await card_of(http, agent)
    kept = [each for each in card.supported_interfaces if each.protocol_version == version]
    del card.supported_interfaces[:]
    card.supported_interfaces.extend(kept)
    return ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)


async def last(events):
    found = None
    async for event in events:
        found = event
    return found


async def refused(waiting, name):
    try:
        await waiting
    except Exception as error:
        if type(error).__name__ != name:
            raise AssertionError(f"wanted {name}, found {type(error).__name__}: {error}") from error
        return
    raise AssertionError(f"wanted {name}, found an answer")


async def first(events):
    async for event in events:
        return event


def wanted(found, expected):
    if found != expected:
        raise AssertionError(f"wanted {expected!r}, found {found!r}")


@case("the card has all that is required")
async def card(http, _version):
    for url in (BASE, f"{BASE}/a2a/echo"):
        read = await A2ACardResolver(http, url).get_agent_card()
        for field in ("name", "description", "version", "supported_interfaces", "default_input_modes", "default_output_modes", "skills"):
            if not getattr(read, field):
                raise AssertionError(f"{url}: {field} is missing")


@case("a message is answered by a task that is completed, with the reply as data")
async def send(http, version):
    found = await last((await client(http, "echo", version, False)).send_message(message({"n": 1})))
    wanted(found.task.status.state, a2a.TaskState.TASK_STATE_COMPLETED)
    wanted(MessageToDict(found.task.artifacts[0].parts[0].data)["n"], 1)


@case("a context is kept, and a task is found by its id")
async def get(http, version):
    asking = await client(http, "echo", version, False)
    found = await last(asking.send_message(message({"n": 2}, contextId="c-1")))
    wanted(found.task.context_id, "c-1")
    again = await asking.get_task(a2a.GetTaskRequest(id=found.task.id))
    wanted((again.id, again.status.state), (found.task.id, found.task.status.state))


@case("a stream begins with the task, and ends with it completed")
async def stream(http, version):
    kinds = []
    numbers = []
    asking = await client(http, "counter", version, True)
    async for event in asking.send_message(message({"do": "count"})):
        kinds.append(event.WhichOneof("payload"))
        if event.HasField("artifact_update"):
            numbers.append(MessageToDict(event.artifact_update.artifact.parts[0].data)["n"])
        final = event
    wanted(kinds[0], "task")
    wanted(numbers, [1, 2, 3])
    wanted(final.status_update.status.state, a2a.TaskState.TASK_STATE_COMPLETED)


@case("a task that is not there is neither found nor canceled")
async def unknown(http, version):
    asking = await client(http, "echo", version, False)
    await refused(asking.get_task(a2a.GetTaskRequest(id="none")), "TaskNotFoundError")
    await refused(asking.cancel_task(a2a.CancelTaskRequest(id="none")), "TaskNotFoundError")


@case("a task that is over is not canceled, not subscribed to, and takes no message")
async def over(http, version):
    asking = await client(http, "echo", version, False)
    task = (await last(asking.send_message(message({"n": 3})))).task
    await refused(asking.cancel_task(a2a.CancelTaskRequest(id=task.id)), "TaskNotCancelableError")
    await refused(last(asking.send_message(message({"n": 4}, taskId=task.id))), "UnsupportedOperationError")
    watching = await client(http, "echo", version, True)
    await refused(first(watching.subscribe(a2a.SubscribeToTaskRequest(id=task.id))), "UnsupportedOperationError")


@case("a task at work is canceled")
async def cancel(http, version):
    asking = await client(http, "echo", version, True)
    events = asking.send_message(message({"do": "sleep"}))
    task = (await anext(events)).task
    canceled = await asking.cancel_task(a2a.CancelTaskRequest(id=task.id))
    wanted(canceled.status.state, a2a.TaskState.TASK_STATE_CANCELED)
    wanted((await last(events)).status_update.status.state, a2a.TaskState.TASK_STATE_CANCELED)


@case("a file is refused as content that is not supported")
async def content(http, version):
    body = {"messageId": "m", "role": "ROLE_USER", "parts": [{"url": "http://localhost/x.png", "mediaType": "image/png"}]}
    request = ParseDict({"message": body}, a2a.SendMessageRequest())
    asking = await client(http, "echo", version, False)
    await refused(last(asking.send_message(request)), "ContentTypeNotSupportedError")


@case("tasks are listed in pages, those first that changed last")
async def listed(http, version):
    if version == "0.3":
        return
    asking = await client(http, "echo", version, False)
    done = [(await last(asking.send_message(message({"n": number}, contextId="pages")))).task.id for number in range(3)]
    found = await asking.list_tasks(a2a.ListTasksRequest(context_id="pages", page_size=2))
    wanted(([task.id for task in found.tasks], found.total_size), (done[:0:-1], 3))
    rest = await asking.list_tasks(a2a.ListTasksRequest(context_id="pages", page_size=2, page_token=found.next_page_token))
    wanted(([task.id for task in rest.tasks], rest.next_page_token), (done[:1], ""))


async def main():
    results = []
    for version in ("1.0", "0.3"):
        for name, run in CASES:
            result = {"section": f"version {version}", "name": name}
            try:
                async with httpx.AsyncClient(timeout=20) as http:
                    await run(http, version)
            except Exception as error:
                at = traceback.extract_tb(error.__traceback__)[-1].lineno
                result["found"] = f"{type(error).__name__} at line {at}: {error}"[:300]
            results.append(result)
    print(json.dumps(results))


asyncio.run(main())
