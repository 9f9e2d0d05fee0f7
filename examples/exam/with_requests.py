"""requests, with urllib3's Retry if as documented: also for creations, which have a key."""

import uuid

import requests
from adapter import AS_DOCUMENTED, run_adapter
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

documented = {
    "total": 4,
    "backoff_factor": 0.2,
    "backoff_jitter": 0.2,
    "status_forcelist": [429, 502, 503, 504],
    "allowed_methods": None,
}
session = requests.Session()
if AS_DOCUMENTED:
    session.mount("http://", HTTPAdapter(max_retries=Retry(**documented)))


def send(line, method, path, **rest):
    headers = {"api_key": line["key"], "idempotency-key": str(uuid.uuid4())}
    url = f"{line['url']}/{path}"
    response = session.request(method, url, headers=headers, timeout=line["timeoutSeconds"], **rest)
    response.raise_for_status()
    return response.json()


run_adapter(
    {
        "readPet": lambda line, id: send(line, "GET", f"pet/{id}"),
        "addPet": lambda line, pet: send(line, "POST", "pet", json=pet),
    },
    options=f"timeout=2, Retry({documented})" if AS_DOCUMENTED else "timeout=2",
    lacks=["keys"] if AS_DOCUMENTED else ["retries", "reconnects", "keys"],
)
