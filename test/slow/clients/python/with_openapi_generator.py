"""Creates, reads and deletes a pet with the client openapi-generator writes, and lists events."""

import json
import sys

from openapi_client import ApiClient, Configuration, EventsApi, PetApi
from openapi_client.exceptions import NotFoundException
from openapi_client.models import CategoryDraft, PetDraft

base_url, key = sys.argv[1:]
client = ApiClient(Configuration(host=base_url, api_key={"api_key": key}))
pets = PetApi(client)

created = pets.add_pet(PetDraft(name="Rex", photo_urls=[], category=CategoryDraft(name="Dogs")))
read = pets.get_pet_by_id(created.id)
deleted = pets.delete_pet(created.id)
try:
    absent = pets.get_pet_by_id(created.id).name
except NotFoundException as refusal:
    absent = refusal.data.code
kinds = [event.event for event in EventsApi(client).list_events(limit=1000) if event.data.get("id") == created.id]

result = {"name": created.name, "category": created.category.name, "status": read.status}
print(json.dumps({**result, "deleted": deleted.message, "absent": absent, "kinds": kinds}))
