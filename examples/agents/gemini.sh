#!/bin/sh
# Gemini CLI with the tools of the store, which are not asked about. Written after its documentation; it was not run.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/.gemini"
printf '{"mcpServers":{"store":{"httpUrl":"%s","headers":{"api_key":"%s"},"trust":true}}}' "$MCP_URL" "$MCP_KEY" \
  > "$directory/.gemini/settings.json"
cd "$directory"
gemini -p "$EXAM_TASK" --allowed-mcp-server-names store < /dev/null
