#!/usr/bin/env bash
# Checks the Python and the Go program with the vectors of the package, and exchanges 1,000 ids with each, in both
# directions and both forms. Needs an installed workspace, python3 and go.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd packages/typed-id && node build-vectors.ts)
(cd integrations/go && test -z "$(gofmt -l .)" && go vet . && go build -o "$work/typedid" .)

typed_id() { node packages/typed-id/src/cli.ts "$@"; }
count() { test "$(grep -cE "$1")" = 1000; }

exchange() {
  "$@" test packages/typed-id/dist/vectors.json

  typed_id new user -n 1000 | tee "$work/library" | count '^user-'
  "$@" short user <"$work/library" | tee "$work/short" | count '^user_'
  typed_id convert --to standard <"$work/short" | cmp - "$work/library"

  "$@" new user 1000 | sort -u >"$work/ids"
  typed_id inspect <"$work/ids" | count '"version":7,.*"age":"(now|[0-9]+ (second|minute)s? ago)"'
  typed_id convert --to short <"$work/ids" | "$@" standard user | cmp - "$work/ids"

  if echo team_01j0b3v1mmeedtx9cpdgkfhbch | "$@" standard user 2>"$work/error"; then false; fi
  grep -q wrong_type "$work/error"
  if head -c 70000 /dev/zero | tr '\0' x | "$@" standard user 2>"$work/error"; then false; fi
  if "$@" new 'us er' 1 2>"$work/error"; then false; fi
  grep -q invalid_prefix "$work/error"
  for wrong in 'nope user' 'new user' 'new user x'; do
    # shellcheck disable=SC2086 # several arguments
    if "$@" $wrong <"$work/library" >"$work/output" 2>&1; then false; fi
  done
  echo "1000 ids exchanged in each direction: $(basename "$1")"
}

exchange python3 integrations/python/typed_id.py
exchange "$work/typedid"
# An int has 32 bits there. Some kernels of this processor run no such programs: the shell ends with 126.
if [ "$(uname -m)" = x86_64 ]; then
  (cd integrations/go && GOARCH=386 go build -o "$work/typedid-386" .)
  code=0
  "$work/typedid-386" test packages/typed-id/dist/vectors.json || code=$?
  if [ "$code" = 126 ]; then
    echo 'not tried: this kernel runs no programs of 32 bits'
  else
    exchange "$work/typedid-386"
  fi
fi
