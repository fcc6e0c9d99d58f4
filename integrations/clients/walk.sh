#!/usr/bin/env bash
# The same requests with curl and jq, for either profile: ./walk.sh http://127.0.0.1:3000
set -euo pipefail
base=${1:-http://127.0.0.1:3000}
run=$(date +%s)-$$-$RANDOM
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

post() { curl -sS --fail-with-body -H 'Content-Type: application/json' -d "$2" "$base$1"; }

team=$(post /teams '{"name": "Engineering"}' | jq -r .id)
echo "$team Engineering"

for name in Ada Grace Edsger Barbara Donald; do
  # Profile B ignores the password.
  user=$(jq -n --arg name "$name" --arg email "$name.$run@example.com" --arg team "$team" \
    '{$name, $email, password: "correct horse", team_id: $team}')
  post /users "$user" >/dev/null
done

# Each response has a link to the next page, relative to its own URL: Link: <?limit=2&after=user-…>; rel="next"
number=0
next="?team_id=$team&limit=2"
while [ -n "$next" ]; do
  number=$((number + 1))
  curl -sS --fail-with-body -D "$headers" "$base/users$next" | jq -r --arg page "page $number:" '.[] | "\($page) \(.id) \(.name)"'
  next=$(tr -d '\r' <"$headers" | sed -n 's/^link: <\([^>]*\)>; rel="next"$/\1/Ip')
done
