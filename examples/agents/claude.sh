#!/bin/sh
# Claude Code with the tools of the store alone. Its options are those of 2.1.197; it was not run with a model.
set -eu
config=$(printf '{"mcpServers":{"store":{"type":"http","url":"%s","headers":{"api_key":"%s"}}}}' "$MCP_URL" "$MCP_KEY")
exec claude -p "$EXAM_TASK" --mcp-config "$config" --strict-mcp-config --tools "" --allowedTools mcp__store < /dev/null
