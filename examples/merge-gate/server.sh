# What comment.sh, apply.sh and gitea-approved.sh ask of GitHub, Gitea or GitLab.
#
#   TOKEN         of a job, which may comment
#   PULL_REQUEST  the number of the pull request; GitLab's jobs know theirs
#   APPROVED      what sums.sh said of the plan that the jobs of the organizations were given,
#                 for apply.sh; on GitLab the names of these jobs have it
#
# The rest is in the environment of every job: GITHUB_API_URL, GITHUB_GRAPHQL_URL,
# GITHUB_REPOSITORY, and GITEA_ACTIONS on Gitea, or the variables CI_... of GitLab.

api() {
  printf 'header = "%s"\n' "$authorization" |
    curl -fsS --config - --header "Content-Type: application/json" "$@"
}

# The request, its comments, where one of them is edited and how, and the newest commit.
# Nobody else can have the name of the bot there.
if [ -n "${CI_API_V4_URL-}" ]; then
  authorization="PRIVATE-TOKEN: $TOKEN"
  request=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID
  comments=$request/notes edited=$request/notes edit=PUT head=.sha
  bot=$(api "$CI_API_V4_URL/user" | jq -r .username)
else
  authorization="Authorization: Bearer $TOKEN"
  repository=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY
  request=$repository/pulls/$PULL_REQUEST
  comments=$repository/issues/$PULL_REQUEST/comments edited=$repository/issues/comments edit=PATCH head=.head.sha
  bot="github-actions[bot]"
  if [ "${GITEA_ACTIONS-}" = true ]; then
    bot=gitea-actions
  fi
fi

# newest_commit is that of the request.
newest_commit() { api "$request" | jq -r "$head"; }

# has_reviews: the request has the reviews that its target branch requires, at least one.
has_reviews() {
  if [ -n "${CI_API_V4_URL-}" ]; then
    api "$request/approvals" | jq -e '.approved and (.approved_by | length > 0)' >/dev/null
  else
    api "$GITHUB_GRAPHQL_URL" --data "$(jq -n --arg owner "${GITHUB_REPOSITORY%/*}" --arg name "${GITHUB_REPOSITORY#*/}" --argjson number "$PULL_REQUEST" '{
      query: "query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { pullRequest(number: $number) { reviewDecision } } }",
      variables: {$owner, $name, $number}}')" | jq -e '.data.repository.pullRequest.reviewDecision == "APPROVED"' >/dev/null
  fi
}

# approved_sums are those of the plan that the organizations have approved. On GitHub another
# plan starts their jobs anew; on GitLab those of an earlier plan stay when "plan" and
# "review" are retried, so their names count, in the newest pipeline that asks.
approved_sums() {
  if [ -z "${CI_API_V4_URL-}" ]; then
    echo "$APPROVED"
    return
  fi
  pipelines=$CI_API_V4_URL/projects/$CI_PROJECT_ID/pipelines
  asking=$(api "$pipelines/$CI_PIPELINE_ID/bridges" |
    jq -r 'map(select(.name == "organizations")) | max_by(.id).downstream_pipeline | select(.status == "success").id')
  [ -z "$asking" ] || api "$pipelines/$asking/jobs?per_page=100" |
    jq -r 'map(.name | sub("^[^:]*: "; "")) | unique | join("\n")'
}

# comment_of START TEXT is the number of the bot's comment that has them.
comment_of() {
  found='' count=100 page=1
  while [ -z "$found" ] && [ "$count" -ge 100 ] && [ "$page" -le 30 ]; do
    listed=$(api "$comments?sort=asc&per_page=100&page=$page")
    found=$(printf %s "$listed" | jq -r --arg bot "$bot" --arg start "$1" --arg text "$2" \
      '[.[] | select((.user.login // .author.username) == $bot and (.body | startswith($start) and contains($text))) | .id][0] // empty')
    count=$(printf %s "$listed" | jq length) page=$((page + 1))
  done
  echo "$found"
}
