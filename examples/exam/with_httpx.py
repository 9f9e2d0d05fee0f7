"""httpx, whose retries are for connections that cannot be opened; it repeats no request."""

import uuid

import httpx
from adapter import run_adapter

client = httpx.Client(transport=httpx.HTTPTransport(retries=4))


def send(line, method, path, **rest):
    headers = {"api_key": line["key"], "idempotency-key": str(uuid.uuid4())}
    response = client.request(method, f"{line['url']}/{path}", headers=headers, timeout=line["timeoutSeconds"], **rest)
    return response.raise_for_status().json()


run_adapter(
    {
        "readPet": lambda line, id: send(line, "GET", f"pet/{id}"),
        "addPet": lambda line, pet: send(line, "POST", "pet", json=pet),
    },
    options="HTTPTransport(retries=4), timeout=2",
    lacks=["retries", "reconnects", "keys"],
)
