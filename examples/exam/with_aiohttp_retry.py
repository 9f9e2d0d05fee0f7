"""aiohttp with aiohttp-retry; a POST has a key, so it may be repeated."""

import asyncio
import uuid

import aiohttp
from adapter import AS_DOCUMENTED, run_adapter
from aiohttp_retry import ExponentialRetry, JitterRetry, RetryClient

documented = {"attempts": 5, "start_timeout": 0.2, "random_interval_size": 0.2, "statuses": {429}}
failures = {aiohttp.ClientConnectionError, asyncio.TimeoutError}
retry = JitterRetry(**documented, exceptions=failures) if AS_DOCUMENTED else ExponentialRetry()


async def send(line, method, path, **rest):
    headers = {"api_key": line["key"], "idempotency-key": str(uuid.uuid4())}
    timeout = aiohttp.ClientTimeout(total=line["timeoutSeconds"])
    async with RetryClient(retry_options=retry, timeout=timeout, raise_for_status=True) as client:
        async with client.request(method, f"{line['url']}/{path}", headers=headers, **rest) as response:
            return await response.json()


def run(line, *args, **rest):
    action = send(line, *args, **rest)
    return asyncio.run(asyncio.wait_for(action, 15) if AS_DOCUMENTED else action)


run_adapter(
    {
        "readPet": lambda line, id: run(line, "GET", f"pet/{id}"),
        "addPet": lambda line, pet: run(line, "POST", "pet", json=pet),
    },
    options=f"total=2, JitterRetry({documented}, of connections and timeouts too), wait_for(15)"
    if AS_DOCUMENTED
    else "total=2, ExponentialRetry()",
    lacks=["keys"],
)
