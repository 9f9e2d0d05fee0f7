"""A pet store that is not ours, with mistakes that others have: it gives no ids and overwrites, checks neither schema nor login, shows
passwords and stack traces, and knows no credentials, pages, versions, PATCH, webhooks or limits. GET /state is all that it stores."""

import json
import re
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

pets = {id: {"id": id, "name": "Rex", "photoUrls": [], "status": "sold"} for id in (5, 7)}
orders = {3: {"id": 3, "petId": 7}}
users = {"eve": {"username": "eve"}}


class Refused(Exception):
    pass


def number(text):
    if not re.fullmatch(r"-?\d{1,18}", text):
        raise Refused(400)
    return int(text)


def stored(where, key):
    if key not in where:
        raise Refused(404)
    return where[key]


def clean(pet):
    return {name: value for name, value in pet.items() if value is not None}


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def read(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        kind = self.headers.get("Content-Type") or ""
        if "xml" in kind:
            pet = ElementTree.fromstring(body)
            photos = [photo.text for photo in pet.iter("photoUrl")]
            return {"id": int(pet.findtext("id")), "name": pet.findtext("name"), "photoUrls": photos, "status": pet.findtext("status")}
        if "form" in kind:
            form = parse_qs(body.decode())
            return {"id": int(form["id"][0]), "name": form["name"][0], "photoUrls": form["photoUrls"], "status": form["status"][0]}
        if "octet" in kind or not body:
            return None
        try:
            return json.loads(body)
        except ValueError:
            raise Refused(400)

    def handle_request(self, path, query, body):
        method, parts = self.command, path.split("/")[1:]
        if parts == ["state"]:
            return {"pets": list(pets.values()), "orders": list(orders.values()), "users": list(users.values())}
        if parts == ["pet"] and method in ("POST", "PUT"):
            if method == "PUT":
                stored(pets, body["id"])
            pets[body["id"]] = clean(body)
            return pets[body["id"]]
        if parts == ["pet", "findByStatus"]:
            return [pet for pet in pets.values() if pet.get("status") in query["status"]]
        if parts == ["pet", "findByTags"]:
            return [pet for pet in pets.values() if any(tag["name"] in query["tags"] for tag in pet.get("tags", []))]
        if parts[0] == "pet" and len(parts) > 1:
            pet = stored(pets, number(parts[1]))
            if method == "DELETE":
                return pets.pop(pet["id"])
            if method == "POST" and len(parts) == 2:
                pet.update({name: values[0] for name, values in query.items()})
            return pet
        if parts == ["store", "inventory"] and method == "GET":
            counts = {}
            for pet in pets.values():
                counts[pet.get("status")] = counts.get(pet.get("status"), 0) + 1
            return counts
        if parts == ["store", "order"]:
            orders[body["id"]] = body
            return body
        if parts[:2] == ["store", "order"] and len(parts) == 3:
            order = stored(orders, number(parts[2]))
            return orders.pop(order["id"]) if method == "DELETE" else order
        if path in ("/user", "/user/createWithList"):
            for user in body if isinstance(body, list) else [body]:
                users[user["username"]] = user
            return body
        if path in ("/user/login", "/user/logout"):
            return "logged in user session: 1"
        if parts[0] == "user" and len(parts) == 2:
            user = stored(users, unquote(parts[1]))
            if method == "PUT":
                users[user["username"]] = body
            return users.pop(user["username"]) if method == "DELETE" else user
        raise Refused(404)

    def respond(self):
        url = urlsplit(self.path)
        try:
            status, value = 200, self.handle_request(url.path, parse_qs(url.query), self.read())
        except Refused as refused:
            status, value = refused.args[0], {"code": refused.args[0]}
        except Exception:
            status, value = 500, {"message": traceback.format_exc()}
        kind, text = "application/json", json.dumps(value)
        if self.headers.get("Accept") == "application/xml" and status == 200:
            kind, text = "application/xml", "<Pet><name>" + escape(value["name"]) + "</name></Pet>"
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, given in (("Content-Type", kind), ("Content-Length", str(len(body))), ("X-Rate-Limit", "1"), ("X-Expires-After", "1")):
            self.send_header(name, given)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = respond

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
print(server.server_port, flush=True)
server.serve_forever()
