"""The OAuth client of Authlib over requests: it requests a token, and another when it expires."""

from concurrent.futures import ThreadPoolExecutor

from adapter import run_adapter
from authlib.integrations.requests_client import OAuth2Session

sessions = {}


def session_of(token):
    if token["url"] not in sessions:
        session = OAuth2Session(
            token["clientId"],
            token["clientSecret"],
            token_endpoint=token["url"],
            grant_type="client_credentials",
        )
        session.fetch_token()
        sessions[token["url"]] = session
    return sessions[token["url"]]


def read_pets(line, ids, token):
    session = session_of(token)

    def read(id):
        response = session.get(f"{line['url']}/pet/{id}", timeout=line["timeoutSeconds"])
        response.raise_for_status()
        return response.json()

    with ThreadPoolExecutor() as pool:
        return list(pool.map(read, ids))


run_adapter({"readPets": read_pets}, options='grant_type="client_credentials", token_endpoint', lacks=[])
