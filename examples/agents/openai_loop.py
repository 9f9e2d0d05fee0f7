"""Any model behind an API like that of OpenAI, and the tools of the store by the official SDK. MODEL, OPENAI_BASE_URL
(such as http://127.0.0.1:11434/v1) and OPENAI_API_KEY say which model."""

import asyncio
import json
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client


async def ask(model, messages, tools):
    body = {"model": os.environ["MODEL"], "messages": messages, "tools": tools}
    response = await model.post("chat/completions", json=body)
    return response.raise_for_status().json()["choices"][0]["message"]


def connect(http):
    return Client(streamable_http_client(os.environ["MCP_URL"], http_client=http))


async def use(http, call):
    """Connects for each call, because a lost connection ends a client of the SDK."""
    try:
        values = json.loads(call["function"]["arguments"] or "{}")
        async with connect(http) as store:
            result = await store.call_tool(call["function"]["name"], values)
        text = "\n".join(part.text for part in result.content if part.type == "text")
    except Exception as error:  # Such as a closed connection: the model decides what to do.
        text = f"There is no result: {error}"
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def describe(tool):
    function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}


async def run(task, model, http):
    async with connect(http) as store:
        tools = [describe(tool) for tool in (await store.list_tools()).tools]
    messages = [{"role": "user", "content": task}]
    while True:  # The exam ends it after two minutes.
        message = await ask(model, messages, tools)
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        messages += [await use(http, call) for call in message["tool_calls"]]


async def main():
    bearer = {"authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}"}
    model = httpx2.AsyncClient(base_url=os.environ["OPENAI_BASE_URL"], headers=bearer, timeout=100)
    async with model, httpx2.AsyncClient(headers={"api_key": os.environ["MCP_KEY"]}, timeout=60) as http:
        print(await run(os.environ["EXAM_TASK"], model, http))


asyncio.run(main())
