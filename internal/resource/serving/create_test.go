package serving

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestCreateExplainsLeftovers: Deployments of the names of a new serving may belong to another
// one.
func TestCreateExplainsLeftovers(t *testing.T) {
	t.Parallel()
	api := NewScripted(t, func(string, string) Reply {
		return Reply{Code: 11600, Message: `k8s deployment "cross-domain/glm" of sub resources for serving already exists, please ensure that the name is not duplicated`}
	})
	desired := StateOf(TwoParties())
	err := calls(&clients.Clients{Kuscia: api.Client}, desired.Value()).Create(t.Context(), &object{create: rules.CreateRequest(desired, &diag.Diagnostics{})})
	if !errors.Is(err, kuscia.ErrLeftover) || !strings.Contains(err.Error(), "whose ID is this one with a role") {
		t.Errorf("the error is %v", err)
	}
}
