#!/bin/sh
# Claude Code with the tools of the store alone. Written after its documentation; it was not run.
set -eu
config=$(printf '{"mcpServers":{"store":{"type":"http","url":"%s","headers":{"api_key":"%s"}}}}' "$MCP_URL" "$MCP_KEY")
exec claude -p "$EXAM_TASK" --mcp-config "$config" --strict-mcp-config --tools "" --allowedTools mcp__store < /dev/null
