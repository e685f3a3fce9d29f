package serving

import (
	"context"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// object is a serving as Kuscia has it, or the request to create one.
type object struct {
	create   *kuscia.CreateServingRequest
	response *kuscia.Serving
	// deployments are its Deployments, which are read at most once; nil without a cluster.
	deployments *servingstatus.CachedObserver
	// versions were read before the response.
	versions sourceVersions
}

// privateOf returns what is remembered of a serving.
func privateOf(memory crud.Memory, imported bool) rules.Private {
	private := crud.Recall[rules.Private](memory)
	private.Imported = imported
	return private
}

// query queries a serving of a plan or a state.
func query(ctx context.Context, c *run.Run, of definition.Value, id crud.ID) (*object, error) {
	found, err := c.Kuscia.QueryServing(keepSecret(ctx, rules.Of(of)), id[0])
	if err != nil {
		return nil, err
	}
	return &object{response: found, deployments: cachedDeploymentsOf(ctx, c, id[0])}, nil
}

// keepSecret masks the configuration of a serving in errors and logs, in case
// the server's text contains it.
func keepSecret(ctx context.Context, m rules.Serving) context.Context {
	return kuscia.WithMaskedText(ctx, m.ServingInputConfig().ValueString())
}

// sourceVersions are the versions of the objects from which Kuscia builds its
// response about a serving; the zero value means unknown.
type sourceVersions struct {
	// fingerprint has the node and the versions of the objects.
	fingerprint string
	// imagesReadAt is when the versions of all app images were read.
	imagesReadAt time.Time
	// created is when the KusciaDeployment was created; zero if unknown.
	created time.Time
}
