"""requests with urllib3's Retry: backoff with jitter, also for creations, which have a key."""

import uuid

import requests
from adapter import run_adapter
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

retry = Retry(
    total=4,
    backoff_factor=0.2,
    backoff_jitter=0.2,
    status_forcelist=[429, 502, 503, 504],
    allowed_methods=None,
)
session = requests.Session()
session.mount("http://", HTTPAdapter(max_retries=retry))
session.mount("https://", HTTPAdapter(max_retries=retry))


def send(line, method, path, headers={}, **rest):
    url = path if path.startswith("http") else f"{line['url']}/{path}"
    headers = {"api_key": line["key"], **headers}
    response = session.request(method, url, headers=headers, timeout=line["timeoutSeconds"], **rest)
    response.raise_for_status()
    return response


def list_pets(line, limit):
    ids, page = [], f"pet?limit={limit}"
    while page:
        response = send(line, "GET", page)
        ids += [pet["id"] for pet in response.json()]
        last, page = page, response.links.get("next", {}).get("url")
        if page == last:
            raise RuntimeError("a page leads to itself")
    return ids


def rename_pet(line, id, name):
    read = send(line, "GET", f"pet/{id}")
    body = {**read.json(), "name": name}
    return send(line, "PUT", "pet", json=body, headers={"if-match": read.headers["etag"]}).json()


run_adapter(
    {
        "readPet": lambda line, id: send(line, "GET", f"pet/{id}").json(),
        "addPet": lambda line, pet: send(
            line, "POST", "pet", json=pet, headers={"idempotency-key": str(uuid.uuid4())}
        ).json(),
        "listPets": list_pets,
        "renamePet": rename_pet,
    }
)
