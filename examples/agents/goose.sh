#!/bin/sh
# goose with the tools of the store alone. Written after its documentation; it was not run.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cat > "$directory/store.yaml" <<END
version: 1.0.0
title: A task in a store
description: A task of petstore exam --agent
prompt: "{{ task }}"
parameters:
  - { key: task, input_type: string, requirement: required, description: What to do }
extensions:
  - { type: streamable_http, name: store, uri: "$MCP_URL", headers: { api_key: "$MCP_KEY" }, timeout: 60 }
END
goose run --no-session --quiet --recipe "$directory/store.yaml" --params "task=$EXAM_TASK" < /dev/null
