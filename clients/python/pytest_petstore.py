"""A pytest plugin: each test that takes the fixture `petstore` has a sandbox of its own, in a service that the first one starts."""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

import pytest

TIMEOUT_SECONDS = 60  # longer than an advance of the clock takes


class Petstore:
    """A sandbox: a store with its own pets, keys, limits, clock, faults and recorded requests."""

    def __init__(self, service_url, name):
        self.name = name
        self.url = f"{service_url}/s/{name}"
        self.api_url = f"{self.url}/api/v3"
        self.api_key = "special-key"

    def call(self, method, path, body=None, **query):
        """Calls any operation of the sandbox and returns the JSON of the response; a refusal is an `urllib.error.HTTPError`."""
        url = f"{self.api_url}{path}?{urllib.parse.urlencode(query, doseq=True)}"
        request = urllib.request.Request(url, method=method, headers={"api_key": self.api_key})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return json.loads(response.read() or "null")

    def reset(self, seed="initial"):
        """Restores the state of the first start, or the data of another seed: `classic`, `empty`, `shelter`."""
        return self.call("POST", "/sandbox/reset", seed=seed)

    def clock(self):
        """The time of the sandbox, and what else its clock has."""
        return self.call("GET", "/sandbox/clock")

    def advance(self, duration):
        """Moves the clock forward by an ISO 8601 duration, such as `PT1M` or `P1D`; what becomes due on the way is done."""
        return self.call("POST", "/sandbox/clock", {"advance": duration})

    def set_faults(self, *rules):
        """Replaces the fault rules by these, such as `{"match": {"operation": "addPet", "times": 1}, "fault": "fault=lose"}`."""
        return self.call("PUT", "/sandbox/faults", {"rules": rules})

    def requests(self, **sought):
        """The recorded requests, oldest first: those of an `operation`, with a `status`, and so on."""
        return self.call("GET", "/sandbox/requests", limit=1000, **sought)[::-1]

    def verify(self, **expected):
        """Fails the test unless the requests are as expected, such as `match={"operation": "addPet"}, exactly=1`; else their number."""
        __tracebackhide__ = True
        try:
            return self.call("POST", "/sandbox/requests/verify", expected)["count"]
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            if problem.get("code") != "requests-unexpected":
                raise
        nearest = [
            f"  #{near['id']} {near['method']} {near['path']} {near.get('status', 'no response')}, differs in {near['differs']}"
            for near in problem.get("nearest", [])
        ]
        raise AssertionError("\n".join([problem["detail"], f"Wanted: {expected}", *nearest]))


@pytest.fixture(scope="session")
def petstore_url():
    """The address of the service: that of the variable PETSTORE_URL, or of one that runs as long as the tests."""
    if "PETSTORE_URL" in os.environ:
        yield os.environ["PETSTORE_URL"].rstrip("/")
        return
    command = [find_command(), "serve", "--ephemeral", "--port", "0", "--print-url"]
    environment = {"PETSTORE_LOG_LEVEL": "error", **os.environ}
    # The service ends when its standard input is closed: at the end of this block, and also when this process is killed.
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as service:
        url = service.stdout.readline().strip()
        if not url:
            raise RuntimeError(f"{' '.join(command)} did not start; its messages are above")
        yield url


@pytest.fixture
def petstore(petstore_url):
    """A sandbox for one test, deleted after it."""
    sandbox = Petstore(petstore_url, f"test-{uuid.uuid4()}")
    sandbox.reset()  # creates it
    yield sandbox
    sandbox.call("DELETE", f"/sandboxes/{sandbox.name}")


def find_command():
    """The command `petstore`: of npm in this directory or one above, otherwise the one in the PATH."""
    directories = [Path.cwd(), *Path.cwd().parents]
    installed = [directory / "node_modules" / ".bin" / "petstore" for directory in directories]
    found = next((str(command) for command in installed if command.exists()), shutil.which("petstore"))
    if found is None:
        raise RuntimeError("there is no command petstore in node_modules/.bin or the PATH, and PETSTORE_URL is not set")
    return found
