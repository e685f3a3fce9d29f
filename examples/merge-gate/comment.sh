#!/bin/sh
# Writes review.md of the current directory as a comment on a pull request of GitHub or
# Gitea, whose APIs are the same for this: a new comment, or that of an earlier run, which
# begins with the same line and is by the bot of the jobs.
#
#   TOKEN         of the job, which may comment
#   PULL_REQUEST  its number
#
# The rest is in the environment of every job: GITHUB_API_URL, GITHUB_REPOSITORY, and
# GITEA_ACTIONS on Gitea.
set -eu

api() {
  printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" |
    curl -fsS --config - --header "Content-Type: application/json" "$@"
}

# Nobody else can have these names there.
bot="github-actions[bot]"
if [ "${GITEA_ACTIONS-}" = true ]; then
  bot=gitea-actions
fi
issues=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
data=$(mktemp)
trap 'rm -f "$data"' EXIT

comment='' count=100 page=1
while [ -z "$comment" ] && [ "$count" -ge 100 ] && [ "$page" -le 30 ]; do
  api "$issues/$PULL_REQUEST/comments?per_page=100&page=$page" >"$data"
  comment=$(jq -r --arg bot "$bot" --arg mark "$(head -n 1 review.md)" \
    '[.[] | select(.user.login == $bot and (.body | startswith($mark))) | .id][0] // empty' "$data")
  count=$(jq length "$data") page=$((page + 1))
done

jq -Rs '{body: .}' review.md >"$data"
if [ -n "$comment" ]; then
  api --output /dev/null --request PATCH "$issues/comments/$comment" --data-binary "@$data"
else
  api --output /dev/null --request POST "$issues/$PULL_REQUEST/comments" --data-binary "@$data"
fi
