#!/usr/bin/env bash
# curl with its own retries, and jq: `curl.sh documented`. A POST has a key; curl repeats it as it does a GET.

options=(--silent --show-error --fail --retry 3)
if [ "$1" = documented ]; then options+=(--retry-connrefused --retry-max-time 15); fi

send() {
  curl "${options[@]}" --max-time "$timeout" -H "api_key: $key" -H "content-type: application/json" "$@" 2>"$complaints"
}

complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
while read -r line; do
  field() { jq --raw-output "$1" <<<"$line"; }
  url=$(field .url) key=$(field .key) timeout=$(field .timeoutSeconds)
  case $(field .do) in
    describe)
      jq --null-input --compact-output '{result: {options: $ARGS.positional | join(" "), lacks: ["keys"]}}' --args -- "${options[@]}"
      continue
      ;;
    readPet) output=$(send "$url/pet/$(field .input.id)") ;;
    addPet) output=$(send "$url/pet" -H "idempotency-key: $$-$(date +%s%N)" -d "$(field .input.pet)") ;;
    *)
      echo '{"unclaimed": "the adapter does not do this"}'
      continue
      ;;
  esac
  if [ $? -ne 0 ]; then
    jq --null-input --compact-output --arg error "$(cat "$complaints")" '{error: $error}'
  elif ! jq --compact-output '{result: .}' <<<"$output" 2>/dev/null; then
    echo '{"error": "the response is not JSON"}'
  fi
done
