"""Carries out the action of each line of the input, and writes what it says."""

import json
import sys


def run_adapter(actions):
    for text in sys.stdin:
        line = json.loads(text)
        action = actions.get(line["do"])
        if action is None:
            said = {"unclaimed": f"the adapter has no {line['do']}"}
        else:
            try:
                said = {"result": action(line, **line["input"])}
            except Exception as error:  # whatever the client raises is what it says
                said = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), flush=True)
