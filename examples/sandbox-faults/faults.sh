#!/bin/sh
# Applies a configuration against a sandbox with injected faults.
# KUSCIA_ENDPOINT is the sandbox, TF the CLI (terraform, or tofu for OpenTofu).
set -eu

tf=${TF:-terraform}

# fault JSON: injects faults into the following requests.
fault() {
  curl --fail-with-body --silent --show-error "$KUSCIA_ENDPOINT/sandbox/faults" --data "$1"
}

# clear_faults: removes all faults.
clear_faults() {
  curl --fail-with-body --silent --show-error --request DELETE "$KUSCIA_ENDPOINT/sandbox/faults"
}

# requests PATH: prints the number of requests to a path.
requests() {
  curl --fail-with-body --silent --show-error "$KUSCIA_ENDPOINT/sandbox/counts" |
    tr ',{}' '\n' | sed -n "s|^\"$1\":||p"
}

# The response to the create is lost. The apply finds the serving and continues.
fault '{"kind": "reset", "path": "serving/create", "after_effect": true}'
"$tf" apply -auto-approve -input=false
test "$(requests /api/v1/serving/create)" -eq 1

# A gateway temporarily responds that it is busy. The provider retries.
fault '{"kind": "status", "status": 503, "retry_after": "1s", "times": 3}'
"$tf" plan -detailed-exitcode -input=false

# Kuscia rejects an update. The apply fails, and the next one succeeds.
fault '{"kind": "code", "path": "serving/update", "code": 11100, "message": "not today"}'
if "$tf" apply -auto-approve -input=false -var=tag=1.1; then
  echo "The apply succeeded although the update was refused." >&2
  exit 1
fi
clear_faults
"$tf" apply -auto-approve -input=false -var=tag=1.1
"$tf" plan -detailed-exitcode -input=false -var=tag=1.1

# Pods of an image with "broken" in its name never start.
if "$tf" apply -auto-approve -input=false -var=tag=broken; then
  echo "The apply succeeded although the pods never start." >&2
  exit 1
fi
"$tf" destroy -auto-approve -input=false
