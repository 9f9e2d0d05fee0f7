#!/usr/bin/env bash
# curl with its own retries, and jq.

send() {
  curl --silent --show-error --fail --retry 3 --max-time "$timeout" \
    -H "api_key: $key" -H "content-type: application/json" "$@" 2>"$complaints"
}

say() {
  if jq --compact-output '{result: .}' <<<"$1" 2>/dev/null; then return; fi
  jq --null-input --compact-output --arg error "the response is not JSON" '{error: $error}'
}

list() {
  local page="$url/pet?limit=$1" ids="[]" body last
  while [ -n "$page" ]; do
    body=$(send --dump-header "$headers" "$page") || return 1
    ids=$(jq --compact-output --argjson ids "$ids" '$ids + map(.id)' <<<"$body") || return 1
    last=$page page=$(sed -nE 's/^[Ll]ink: .*<([^>]*)>; rel="next".*$/\1/p' "$headers")
    if [ "$page" = "$last" ]; then echo "a page leads to itself" >"$complaints"; return 1; fi
  done
  echo "$ids"
}

rename() {
  local pet etag
  pet=$(send --dump-header "$headers" "$url/pet/$1") || return 1
  etag=$(sed -nE 's/^[Ee][Tt]ag: (.*)\r$/\1/p' "$headers")
  send -X PUT "$url/pet" -H "if-match: $etag" -d "$(jq --arg name "$2" '.name = $name' <<<"$pet")"
}

headers=$(mktemp) complaints=$(mktemp)
trap 'rm -f "$headers" "$complaints"' EXIT
while read -r line; do
  field() { jq --raw-output "$1" <<<"$line"; }
  url=$(field .url) key=$(field .key) timeout=$(field .timeoutSeconds)
  case $(field .do) in
    readPet) output=$(send "$url/pet/$(field .input.id)") ;;
    addPet) output=$(send "$url/pet" -H "idempotency-key: $$-$(date +%s%N)" -d "$(field .input.pet)") ;;
    listPets) output=$(list "$(field .input.limit)") ;;
    renamePet) output=$(rename "$(field .input.id)" "$(field .input.name)") ;;
    *)
      echo '{"unclaimed": "the adapter does not do this"}'
      continue
      ;;
  esac
  if [ $? -eq 0 ]; then
    say "$output"
  else
    jq --null-input --compact-output --arg error "$(cat "$complaints")" '{error: $error}'
  fi
done
