package examplestest_test

import (
	"path/filepath"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// giteaReview is a review of a pull request on Gitea.
type giteaReview struct {
	ID        int               `json:"id"`
	User      map[string]string `json:"user"`
	State     string            `json:"state"`
	Official  bool              `json:"official"`
	Dismissed bool              `json:"dismissed"`
	Commit    string            `json:"commit_id"`
}

// testGiteaApproved: Atlantis applies on Gitea only what somebody who may write has approved.
func (p *pipeline) testGiteaApproved(t *testing.T) {
	t.Helper()
	atlantis := p.with("ATLANTIS_GITEA_BASE_URL=https://gitea.example", "ATLANTIS_GITEA_TOKEN=t", "BASE_REPO_OWNER=o", "BASE_REPO_NAME=r", "PULL_NUM=7", "HEAD_COMMIT=new")
	approval := giteaReview{ID: 9, User: map[string]string{"login": "alice"}, State: "APPROVED", Official: true, Commit: "new"}
	changed := func(change func(*giteaReview)) giteaReview {
		other := approval
		change(&other)
		return other
	}
	refusal := changed(func(r *giteaReview) { r.State = "REQUEST_CHANGES" })
	for name, test := range map[string]struct {
		code    int
		reviews []giteaReview
	}{
		"nobody":    {1, []giteaReview{}},
		"stranger":  {1, []giteaReview{changed(func(r *giteaReview) { r.Official = false })}},
		"dismissed": {1, []giteaReview{changed(func(r *giteaReview) { r.Dismissed = true })}},
		"earlier":   {1, []giteaReview{changed(func(r *giteaReview) { r.Commit = "old" })}},
		"comment":   {1, []giteaReview{changed(func(r *giteaReview) { r.State = "COMMENT" })}},
		"refused":   {1, []giteaReview{changed(func(r *giteaReview) { r.ID = 8 }), refusal}},
		"approved":  {0, []giteaReview{changed(func(r *giteaReview) { r.ID, r.State = 8, "REQUEST_CHANGES" }), approval, changed(func(r *giteaReview) { r.ID, r.State = 10, "COMMENT" })}},
	} {
		testfile.Write(t, filepath.Join(p.jobs, "reviews.json"), testjson.Encode(t, test.reviews))
		output := atlantis.shell(t, test.code, "../../merge-gate/gitea-approved.sh")
		if test.code != 0 {
			expectIn(t, name+": "+output, name+": Nobody who may write here has approved the commit new.")
		}
	}
}
