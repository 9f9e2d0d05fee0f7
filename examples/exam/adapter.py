"""Carries out the action of each line of the input, and writes what it says."""

import json
import sys
import traceback

# `python FILE documented`: the client has the options that its documentation recommends, not only those that it comes with.
AS_DOCUMENTED = sys.argv[1:] == ["documented"]


def run_adapter(actions, options="", lacks=()):
    actions = {"describe": lambda line: {"options": options, "lacks": lacks}, **actions}
    for text in sys.stdin:
        line = json.loads(text)
        action = actions.get(line["do"])
        if action is None:
            said = {"unclaimed": f"the adapter has no {line['do']}"}
        else:
            try:
                said = {"result": action(line, **line["input"])}
            except Exception as error:  # whatever the client raises is what it says
                said = {"failed" if is_own(error) else "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), flush=True)


def is_own(error):
    """A mistake in the code of the adapter, not an error that its client reports."""
    mistakes = (AttributeError, KeyError, NameError, TypeError)
    return isinstance(error, mistakes) and traceback.extract_tb(error.__traceback__)[-1].filename == sys.argv[0]
