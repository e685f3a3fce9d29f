package serving

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/model"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/refresh"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// A refresh whose answer would be that of the last one changes nothing. Which
// answer that was is kept beside the state as a digest over the versions of all
// objects that it was made from, over the state and what is kept beside it, and
// over the node that gave it. Whatever changes any of these makes another digest,
// and Kuscia is asked.

// sourceVersions says from what Kuscia makes its answer about a serving; the zero value
// is not known.
type sourceVersions struct {
	// fingerprint has the node and the versions of the objects.
	fingerprint string
	// imagesReadAt is when the versions of all app images were known.
	imagesReadAt time.Time
	// created is when the KusciaDeployment was created; zero is not known.
	created time.Time
}

// listedVersions are the versions of a serving out of the lists that many reads
// share. They are not known where there is no cluster, where a read is alone, and
// where the lists could not be had.
func listedVersions(ctx context.Context, c *clients.Clients, id string) (known sourceVersions) {
	if !c.HasKubernetes() {
		return known
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return known // whoever needs it says so
	}
	shared, _ := c.ForThisRun("versions of servings", func() any { return &clients.SharedList[*versions.Index]{} }).(*clients.SharedList[*versions.Index])
	objects, listed, err := shared.Get(ctx, func(ctx context.Context) (*versions.Index, error) {
		all, err := versions.List(ctx, client)
		if err != nil {
			tflog.Debug(ctx, "servings are asked for one by one: "+err.Error())
		}
		return all, err //nolint:wrapcheck // the client's errors say what was asked
	})
	if err != nil || !listed {
		return known
	}
	return withNode(ctx, c, objects, id)
}

// appliedVersions are the versions of a serving after an apply that has seen it
// run, with its status.
func appliedVersions(ctx context.Context, c *clients.Clients, id string, status *kuscia.ServingStatusDetail) (known sourceVersions) {
	if !c.HasKubernetes() || status == nil {
		return known
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return known // whoever needs it says so
	}
	images, _ := c.ForThisRun("versions of app images", func() any { return &versions.Images{} }).(*versions.Images)
	objects, err := versions.Get(ctx, client, id, status, images)
	if err != nil {
		tflog.Debug(ctx, "serving "+id+" will be asked for in the next refresh: "+err.Error())
		return known
	}
	return withNode(ctx, c, objects, id)
}

// withNode adds the node that is asked. That it does not answer is no time to
// go by what it answered before.
func withNode(ctx context.Context, c *clients.Clients, objects *versions.Index, id string) (known sourceVersions) {
	text := objects.Fingerprint(id)
	version, err := c.API.Version(ctx)
	if text == "" || err != nil {
		return known
	}
	created, _ := time.Parse(time.RFC3339, objects.Created(id))
	return sourceVersions{fingerprint: fmt.Sprintf("%q\n%q\n%s", c.API.Endpoint(), version.Raw, text), imagesReadAt: objects.ImagesReadAt(), created: created}
}

// digest stands for an answer together with a state that it leaves as it is.
func (v sourceVersions) digest(state model.Serving, private model.Private) string {
	private.RefreshDigest = ""
	encoded, err := json.Marshal(private)
	if err != nil {
		return ""
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "1\n%s\n%q\n%s", v.fingerprint, encoded, state.Text())
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// unchanged reports whether a refresh of the state is certain to change nothing.
func (v sourceVersions) unchanged(state model.Serving, private model.Private) bool {
	return v.fingerprint != "" && private.RefreshDigest != "" && private.RefreshDigest == v.digest(state, private)
}

// recordIfStable is what is kept of an answer that was got after the versions: that it
// leaves state and private data as they are, if it does.
func (v sourceVersions) recordIfStable(ctx context.Context, c *clients.Clients, state model.Serving, private model.Private, answer *kuscia.Serving) model.Private {
	if v.fingerprint == "" {
		return private
	}
	private.RefreshDigest = ""
	switch {
	case rollout.NeedsDeployments(state, state, private):
		return private // it depends on time, and on pods
	case !wait.CanBeOf(v.created, answer.Status):
		return private // the objects are those of another Kuscia
	}
	from := sourcesOf(ctx, c, state.ServingID.ValueString())
	from.Cached = c.AppImages.KnownSince(ctx, v.imagesReadAt)
	for _, p := range answer.Parties {
		if from.Cached(p.AppImage) == nil {
			return private
		}
	}
	again, next := refresh.Read(state, answer, private, from)
	if again.Equal(state) && next.Equal(private) {
		private.RefreshDigest = v.digest(state, private)
	}
	return private
}
