package crud

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// look reads the custom resource of an object, and refuses that of another Kuscia. If the domains do
// not tell, the object has to be the one that the KusciaAPI returns. Both are read again where they
// differ: another client may have changed the object in between.
func (o *Object[W]) look(ctx context.Context, c *run.Run, id ID, object definition.Value) (seen manifest.Seen, err error) {
	client, err := c.OpenKubernetes()
	if err != nil {
		return seen, err
	}
	for began := time.Now(); ; {
		seen, err = o.CustomResource.Look(ctx, client, id)
		if err != nil || seen.Object == nil || c.Kuscia == nil || o.Server.Name == Cluster.Name {
			return seen, err
		}
		match, err := c.ClusterOfKuscia(ctx)
		if err != nil || match == clients.ClusterSame {
			return seen, err
		}
		why := "has domains with other deploy tokens"
		if match == clients.ClusterUnknown {
			if why, err = o.differs(ctx, c, id, object, seen); err != nil || why == "" {
				return seen, err
			}
		}
		if match == clients.ClusterOther || time.Since(began) > staleDelay || !wait.Sleep(ctx, consistencyPause) {
			return seen, &otherClusterError{what: o.named(id), why: why}
		}
	}
}

// differs returns why what is seen cannot be the object of the KusciaAPI; "" if it can.
func (o *Object[W]) differs(ctx context.Context, c *run.Run, id ID, object definition.Value, seen manifest.Seen) (why string, err error) {
	found, err := o.api(c, object).Query(ctx, id)
	switch {
	case o.Server.Errors.NotFound(err):
		return "has the object, and the KusciaAPI does not", nil
	case err != nil:
		return "", err
	}
	if differs := o.CustomResource.Differs(seen.Object, found); len(differs) > 0 {
		why = "has another " + strings.Join(differs[:min(len(differs), 5)], ", ")
	}
	return why, nil
}

// otherClusterError is returned if a cluster is not that of the KusciaAPI.
type otherClusterError struct{ what, why string }

func (e *otherClusterError) Error() string {
	return fmt.Sprintf("%s: the cluster of kubernetes in the provider block is not that of the KusciaAPI: it %s. Nothing was changed. "+
		"Correct kubernetes, or remove it from the provider block of this Kuscia. "+
		"Environment variables KUSCIA_KUBE_* apply to every provider block: with several Kuscias, set kubernetes in the provider blocks instead", message.Capitalize(e.what), e.why)
}
