#!/bin/sh
# Codex with the tools of the store. Its options are those of 0.171.0; it was not run with a model.
set -eu
exec codex exec --skip-git-repo-check --sandbox read-only \
  -c "mcp_servers.store.url=\"$MCP_URL\"" \
  -c 'mcp_servers.store.env_http_headers={ api_key = "MCP_KEY" }' \
  "$EXAM_TASK" < /dev/null
