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
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// A refresh that would get the same response as the last one changes nothing.
// The last response is identified by a digest in the private state, over the
// versions of all objects behind it, over the state, over the rest of the
// private state, and over the node that sent it. If any of these changes, the
// digest differs and Kuscia is queried.

// listedVersions returns the versions of a serving's objects from the lists that
// many reads share. They are unknown without a cluster, for a single read, and
// if the lists could not be read.
func listedVersions(ctx context.Context, c *run.Run, id string) (known sourceVersions) {
	if !readsDeployments(ctx, c) {
		return known
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return known // reported wherever the cluster is required
	}
	const servings run.Key[*run.SharedList[*versionIndex]] = "versions of servings"
	shared := run.Value(c, servings, func() *run.SharedList[*versionIndex] { return new(run.SharedList[*versionIndex]) })
	objects, listed, err := shared.Get(ctx, func(ctx context.Context) (*versionIndex, error) {
		all, err := listVersions(ctx, client)
		if err != nil {
			tflog.Debug(ctx, "servings are queried one by one: "+err.Error())
		}
		return all, err
	})
	if err != nil || !listed {
		return known
	}
	return withNode(ctx, c, objects, id)
}

// appliedVersions returns the versions of a serving's objects, with its status,
// after an apply that has observed it run.
func appliedVersions(ctx context.Context, c *run.Run, id string, status *kuscia.ServingStatusDetail) (known sourceVersions) {
	if !readsDeployments(ctx, c) || status == nil {
		return known
	}
	client, err := c.Kubernetes.Open()
	if err != nil {
		return known // reported wherever the cluster is required
	}
	const appImages run.Key[*imageVersions] = "versions of app images"
	images := run.Value(c, appImages, func() *imageVersions { return new(imageVersions) })
	objects, err := getVersions(ctx, client, id, status, images)
	if err != nil {
		tflog.Debug(ctx, "serving "+id+" will be queried in the next refresh: "+err.Error())
		return known
	}
	return withNode(ctx, c, objects, id)
}

// withNode adds the queried node. If the node does not respond, an earlier
// response must not be reused.
func withNode(ctx context.Context, c *run.Run, objects *versionIndex, id string) (known sourceVersions) {
	text := objects.Fingerprint(id)
	version, err := c.Kuscia.Version(ctx)
	if text == "" || err != nil {
		return known
	}
	created, _ := time.Parse(time.RFC3339, objects.Created(id))
	return sourceVersions{fingerprint: fmt.Sprintf("%q\n%q\n%s", c.Kuscia.Endpoint(), version.String(), text), imagesReadAt: objects.ImagesReadAt(), created: created}
}

// digestVersion is part of every digest. Increase it when the state that a refresh reads
// from the same response changes.
const digestVersion = 2

// digest identifies a response together with a state that it leaves unchanged.
func (v sourceVersions) digest(state rules.Serving, private rules.Private) string {
	private.RefreshDigest = ""
	encoded, err := json.Marshal(private)
	text, textErr := json.Marshal(definition.TreeOf(state.Value()))
	if err != nil || textErr != nil {
		return ""
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%d\n%s\n%q\n%s", digestVersion, v.fingerprint, encoded, text)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// unchanged reports whether a refresh of the state certainly changes nothing.
func (v sourceVersions) unchanged(state rules.Serving, private rules.Private) bool {
	return v.fingerprint != "" && private.RefreshDigest != "" && private.RefreshDigest == v.digest(state, private)
}

// recordIfStable stores the digest for a response that was read after the
// versions, if that response leaves state and private state unchanged.
func (v sourceVersions) recordIfStable(ctx context.Context, c *run.Run, state rules.Serving, private rules.Private, found *object) rules.Private {
	response := found.response
	if v.fingerprint == "" {
		return private
	}
	private.RefreshDigest = ""
	switch {
	case rules.NeedsDeployments(state, state, private):
		return private // it depends on time and on pods
	case !servingstatus.MayBelongTo(v.created, response.Status):
		return private // the objects are those of another Kuscia
	}
	from := sourcesWith(ctx, c, found.deployments)
	from.Cached = c.AppImages.LookupSince(ctx, v.imagesReadAt)
	for _, p := range response.Parties {
		if from.Cached(p.AppImage) == nil {
			return private
		}
	}
	again, next := rules.Refresh(state, response, private, from)
	if again.Equal(state) && next.Equal(private) {
		private.RefreshDigest = v.digest(state, private)
	}
	return private
}
