"""The client that openapi-generator writes for Python, with its option `retries` as a number."""

import json
import re
import uuid
from urllib.parse import parse_qs, urlparse

from adapter import run_adapter
from openapi_client import ApiClient, Configuration, PetApi
from openapi_client.models import PetDraft, PetReplacement


def client(line):
    return PetApi(ApiClient(Configuration(host=line["url"], api_key={"api_key": line["key"]}, retries=4)))


def plain(pet):
    return json.loads(pet.to_json())


def add_pet(line, pet):
    key = str(uuid.uuid4())
    return plain(client(line).add_pet(PetDraft.from_dict(pet), key, _request_timeout=line["timeoutSeconds"]))


def list_pets(line, limit):
    ids, cursor = [], None
    while True:
        page = client(line).list_pets_with_http_info(
            limit=limit, cursor=cursor, _request_timeout=line["timeoutSeconds"]
        )
        ids += [pet.id for pet in page.data]
        link = re.search(r'<([^>]*)>; *rel="next"', page.headers.get("Link", ""))
        if not link:
            return ids
        last, cursor = cursor, parse_qs(urlparse(link[1]).query)["cursor"][0]
        if cursor == last:
            raise RuntimeError("a page leads to itself")


def rename_pet(line, id, name):
    pets = client(line)
    read = pets.get_pet_by_id_with_http_info(id, _request_timeout=line["timeoutSeconds"])
    body = PetReplacement.from_dict({**plain(read.data), "name": name})
    return plain(pets.update_pet(body, read.headers["ETag"], _request_timeout=line["timeoutSeconds"]))


run_adapter(
    {
        "readPet": lambda line, id: plain(client(line).get_pet_by_id(id, _request_timeout=line["timeoutSeconds"])),
        "addPet": add_pet,
        "listPets": list_pets,
        "renamePet": rename_pet,
    }
)
