"""The client that openapi-generator writes for Python, with urllib3's Retry as its option `retries` if as documented."""

import json
import uuid

from adapter import AS_DOCUMENTED, run_adapter
from openapi_client import ApiClient, Configuration, PetApi
from openapi_client.models import PetDraft
from urllib3.util import Retry

documented = {
    "total": 4,
    "backoff_factor": 0.2,
    "backoff_jitter": 0.2,
    "status_forcelist": [429, 502, 503, 504],
    "allowed_methods": None,
}


def client(line):
    retries = {"retries": Retry(**documented)} if AS_DOCUMENTED else {}
    return PetApi(ApiClient(Configuration(host=line["url"], api_key={"api_key": line["key"]}, **retries)))


def plain(pet):
    return json.loads(pet.to_json())


def add_pet(line, pet):
    key = str(uuid.uuid4())
    return plain(client(line).add_pet(PetDraft.from_dict(pet), key, _request_timeout=line["timeoutSeconds"]))


run_adapter(
    {
        "readPet": lambda line, id: plain(client(line).get_pet_by_id(id, _request_timeout=line["timeoutSeconds"])),
        "addPet": add_pet,
    },
    options=f"_request_timeout=2, retries=Retry({documented})" if AS_DOCUMENTED else "_request_timeout=2",
    lacks=["keys"] if AS_DOCUMENTED else ["retries", "reconnects", "keys"],
)
