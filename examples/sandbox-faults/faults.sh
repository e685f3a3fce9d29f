#!/bin/sh
# Applies a configuration against a sandbox in which something goes wrong.
# KUSCIA_ENDPOINT is the sandbox, TF the CLI (terraform, or tofu for OpenTofu).
set -eu

tf=${TF:-terraform}

# fault JSON: lets requests go wrong from now on.
fault() {
  curl --fail-with-body --silent --show-error "$KUSCIA_ENDPOINT/sandbox/faults" --data "$1"
}

# heal: nothing goes wrong any more.
heal() {
  curl --fail-with-body --silent --show-error --request DELETE "$KUSCIA_ENDPOINT/sandbox/faults"
}

# requests PATH: how many requests of a path there were.
requests() {
  curl --fail-with-body --silent --show-error "$KUSCIA_ENDPOINT/sandbox/counts" |
    tr ',{}' '\n' | sed -n "s|^\"$1\":||p"
}

# The answer to the create is lost. The apply finds the serving and goes on.
fault '{"kind": "reset", "path": "serving/create", "after_effect": true}'
"$tf" apply -auto-approve -input=false
test "$(requests /api/v1/serving/create)" -eq 1

# A gateway says for a while that it is busy. The requests are repeated.
fault '{"kind": "status", "status": 503, "retry_after": "1s", "times": 3}'
"$tf" plan -detailed-exitcode -input=false

# Kuscia refuses an update. The apply fails, and the next one does it.
fault '{"kind": "code", "path": "serving/update", "code": 11100, "message": "not today"}'
if "$tf" apply -auto-approve -input=false -var=tag=0.9.0b0; then
  echo "An update that was refused is no success." >&2
  exit 1
fi
heal
"$tf" apply -auto-approve -input=false -var=tag=0.9.0b0
"$tf" plan -detailed-exitcode -input=false -var=tag=0.9.0b0

# Pods of an image with "broken" in its name never start.
if "$tf" apply -auto-approve -input=false -var=tag=broken; then
  echo "A rollout that never ends is no success." >&2
  exit 1
fi
"$tf" destroy -auto-approve -input=false
