#!/bin/sh
# Shows how a plan changes the configuration texts of servings: a diff for each
# serving, with the old and the new text as sorted JSON where they are JSON.
#
#   ./config-diff.sh [arguments of plan]
#
# TF names the CLI (terraform, or tofu for OpenTofu). The texts are shown in
# clear text: do not run it in CI or for texts with credentials.
set -eu

tf=${TF:-terraform}

# The plan contains values that must not stay on the machine.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$tf" plan -input=false -out="$work/plan" "$@" >"$work/shown" || { cat "$work/shown"; exit 1; }
"$tf" show -json "$work/plan" >"$work/plan.json"

text() { # before or after, address
  jq --raw-output --arg address "$2" \
    ".resource_changes[] | select(.address == \$address) | .change.$1.serving_input_config // \"\" | (fromjson? // .)" \
    "$work/plan.json" >"$work/$1"
  jq --sort-keys . "$work/$1" >"$work/$1.json" 2>"$work/ignored" || cp "$work/$1" "$work/$1.json"
}

jq --raw-output '.resource_changes[] | select(.type == "kuscia_serving" and .mode == "managed") | .address' \
  "$work/plan.json" >"$work/addresses"
while read -r address; do
  text before "$address"
  text after "$address"
  diff -u -L "$address before" -L "$address after" "$work/before.json" "$work/after.json" || true
done <"$work/addresses"
