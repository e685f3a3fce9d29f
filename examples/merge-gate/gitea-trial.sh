#!/bin/sh
# Tries the workflow for GitHub on a Gitea that you have, with its runner. It makes a
# repository with examples/rollouts/replace and opens a pull request, whose gate has to
# refuse the new serving, and which cannot say who is asked. Then it allows the serving in
# the workflow, and the same comment has to get the new review and the sums of the encrypted
# plan that the run keeps, and the check to pass. At last a plan that fails has to take the
# comment, and the check to fail.
#
#   GITEA_URL        such as https://gitea.example
#   GITEA_TOKEN      of a user, with the scopes write:user, write:repository and write:issue
#   KUSCIA_ENDPOINT  of a kuscia-sandbox --protocol NOTLS, as the runner reaches it
#   COMMIT           of the provider, whose action the workflow uses
#   CHANGES          more changes of the workflow, for sed: such as other actions, if the
#                    Gitea takes them from itself, or '/setup-terraform@/,/_wrapper/d' for
#                    the Terraform of the runner
#
# The runner has the label ubuntu-latest, curl, git, gpg, jq and Node.js, and its Terraform
# finds the provider. Gitea has no environments: the jobs that wait for an approval are left
# out, and Atlantis has their part (atlantis.yaml).
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

api() {
  printf 'header = "Authorization: token %s"\n' "$GITEA_TOKEN" |
    curl -fsS --config - --header "Content-Type: application/json" "$@"
}
user=$(api "$GITEA_URL/api/v1/user" | jq -r .login)
name=review-trial-$(date +%s)
repository=$GITEA_URL/api/v1/repos/$user/$name

# The library of newer versions of upload-artifact refuses servers that are not GitHub.
workflow() {
  sed -e '/^  # Each organization/,$d' -e "s/@COMMIT/@$COMMIT/" \
    -e 's/\(upload\|download\)-artifact@.*/\1-artifact@v3/' -e "${CHANGES-}" "$here/github-actions.yaml"
}

push() {
  git add -A
  git -c user.name=trial -c user.email=trial@example.com commit -q -m "$1"
  git -c http.extraHeader="Authorization: token $GITEA_TOKEN" push -q "$GITEA_URL/$user/$name.git" "HEAD:$2"
}

# check waits for the check of the commit, and expects its end.
check() {
  state=pending
  for _ in $(seq 120); do
    state=$(api "$repository/commits/$(git rev-parse HEAD)/status" |
      jq -r '[.statuses[]? | select(.context == "Terraform / review (pull_request)") | .status][0] // "pending"')
    [ "$state" = pending ] || break
    sleep 5
  done
  if [ "$state" != "$1" ]; then
    echo "The check ended with $state, and not with $1: $GITEA_URL/$user/$name/actions" >&2
    exit 1
  fi
}

# comment is the number of the only comment, which has to say something.
comment() {
  api "$repository/issues/1/comments" | jq -er --arg says "$1" \
    'if length == 1 and .[0].user.login == "gitea-actions" and (.[0].body | contains($says)) then .[0].id else error("the comments are \(map(.body))") end'
}

api --output /dev/null "$GITEA_URL/api/v1/user/repos" --data "{\"name\": \"$name\", \"default_branch\": \"main\"}"
export PLAN_KEY="a long random text"
api --request PUT "$repository/actions/secrets/PLAN_KEY" --data "{\"data\": \"$PLAN_KEY\"}"
api --output /dev/null "$repository/actions/variables/KUSCIA_ENDPOINT" --data "{\"value\": \"$KUSCIA_ENDPOINT\"}"

cd "$work"
git init -q -b main
mkdir -p .github/workflows
echo '/domains/alice/ @alice' >.github/CODEOWNERS
push "owners" main
cp "$here"/../rollouts/replace/*.tf .
echo '/domains/alice/ @mallory' >.github/CODEOWNERS
workflow >.github/workflows/terraform.yaml
push "a serving" serving
# Gitea knows a new branch a moment later.
api --retry 5 --retry-all-errors --output /dev/null "$repository/pulls" --data '{"title": "A serving", "head": "serving", "base": "main"}'
check failure
first=$(comment 'This plan starts the serving `glm`')
comment 'To ask: `alice`: `@alice`' >/dev/null

workflow | sed 's/^\( *\)codeowners: .*/&\n\1allow: kuscia_serving.glm/' >.github/workflows/terraform.yaml
push "allow the serving" serving
check success
[ "$(comment 'This plan starts the serving `glm`')" = "$first" ]
run=$(api "$repository/issues/1/comments" | jq -r '.[0].body | capture("[(](?<run>[^)]*/actions/runs/[0-9]+)[)]").run')
curl -fsS --user "$user:$GITEA_TOKEN" --output plan.zip "$run/artifacts/plan"
unzip -q plan.zip plan.gpg
"$here/archive.sh" decrypt plan.bin plan.json
comment "$("$here/sums.sh")" >/dev/null
rm plan.*

echo 'resource "kuscia_serving" "other" {}' >other.tf
push "another serving, with errors" serving
check failure
[ "$(comment 'The plan or its review failed, so nothing can be applied.')" = "$first" ]
echo "The gate refused the plan, let it pass when it was allowed, and refused a plan that failed: $GITEA_URL/$user/$name/pulls/1"
