#!/bin/sh
# Gemini CLI with the tools of the store, which are not asked about. Its options are
# those of 0.61.0, which connects to the store; it was not run with a model.
set -eu
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/.gemini"
printf '{"mcpServers":{"store":{"httpUrl":"%s","headers":{"api_key":"%s"},"trust":true}}}' "$MCP_URL" "$MCP_KEY" \
  > "$directory/.gemini/settings.json"
cd "$directory"
gemini -p "$EXAM_TASK" --skip-trust --allowed-mcp-server-names store < /dev/null
