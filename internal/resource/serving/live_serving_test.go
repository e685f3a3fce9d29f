package serving

import (
	"context"
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
)

// unavailable counts queries, which fail.
type unavailable struct{ queries int }

func (u *unavailable) QueryServing(context.Context, string) (*kuscia.Serving, error) {
	u.queries++
	return nil, apierror.ErrUnavailable
}

// TestLiveServing: a query that fails is not repeated, and the error stays as it is.
func TestLiveServing(t *testing.T) {
	t.Parallel()
	api := &unavailable{}
	live := &liveServing{api: api, id: "s"}
	c := run.New(clients.WithoutKuscia(""))
	c.Kubernetes.Open = func() (*kube.Client, error) { return fakecluster.Objects(t, nil), nil }
	var diags diag.Diagnostics
	planned := rules.ByID("s").WithServingAttribute("wait_for_rollout", types.BoolValue(true))
	observerFor(t.Context(), c, planned, live, &diags)
	_, err := live.get(t.Context())
	if hinted := withNewVersionHint(err); !errors.Is(hinted, apierror.ErrUnavailable) || hinted.Error() != err.Error() || api.queries != 1 {
		t.Errorf("%d queries: %v, %v", api.queries, hinted, diags)
	}
}
