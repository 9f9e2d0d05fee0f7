"""Creates, reads and deletes a pet with the client openapi-python-client writes, and lists events."""

import json
import sys

from petstore_client import AuthenticatedClient
from petstore_client.api.events import list_events
from petstore_client.api.pet import add_pet, delete_pet, get_pet_by_id
from petstore_client.models import CategoryDraft, PetDraft

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url, token=key, prefix="", auth_header_name="api_key")

created = add_pet.sync(client=client, body=PetDraft(name="Rex", photo_urls=[], category=CategoryDraft(name="Dogs")))
read = get_pet_by_id.sync(created.id, client=client)
deleted = delete_pet.sync(created.id, client=client)
absent = get_pet_by_id.sync(created.id, client=client)
events = list_events.sync(client=client, limit=1000)
kinds = [event.event for event in events if event.data.to_dict().get("id") == created.id]

result = {"name": created.name, "category": created.category.name, "status": read.status}
print(json.dumps({**result, "deleted": deleted.message, "absent": absent.code, "kinds": kinds}))
