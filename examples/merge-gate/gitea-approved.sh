#!/bin/sh
# A step of Atlantis before "apply", on Gitea: it ends with an error unless somebody who may
# write there has approved this commit. Atlantis itself also counts approvals of earlier
# commits, those that Gitea has dismissed, and those of strangers. The image of Atlantis has
# this file and server.sh.
#
#   ATLANTIS_GITEA_BASE_URL, ATLANTIS_GITEA_TOKEN  those of the server
#
# The rest is in the environment of every step.
set -eu

GITEA_ACTIONS=true GITHUB_API_URL=$ATLANTIS_GITEA_BASE_URL/api/v1 GITHUB_REPOSITORY=$BASE_REPO_OWNER/$BASE_REPO_NAME
PULL_REQUEST=$PULL_NUM TOKEN=$ATLANTIS_GITEA_TOKEN
. "$(dirname "$0")/server.sh"

count=1 page=1 reviews=
while [ "$count" -gt 0 ]; do
  listed=$(api "$request/reviews?page=$page")
  count=$(printf %s "$listed" | jq length) page=$((page + 1)) reviews=$reviews$listed
done
# The last word of each reviewer counts.
if ! printf %s "$reviews" | jq -es --arg commit "$HEAD_COMMIT" 'add |
  map(select(.state == "APPROVED" or .state == "REQUEST_CHANGES")) | group_by(.user.login) | map(max_by(.id)) |
  any(.state == "APPROVED" and .official and (.dismissed | not) and .commit_id == $commit)' >/dev/null; then
  echo "Nobody who may write here has approved the commit $HEAD_COMMIT."
  exit 1
fi
