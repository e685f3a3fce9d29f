package serving

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// liveServing is a serving in Kuscia before an update, queried once.
type liveServing struct {
	api interface {
		QueryServing(ctx context.Context, servingID string) (*kuscia.Serving, error)
	}
	id string

	fetched  bool
	response *kuscia.Serving
	err      error
}

// invalidate makes get query the serving again.
func (l *liveServing) invalidate() { l.fetched = false }

func (l *liveServing) get(ctx context.Context) (*kuscia.Serving, error) {
	if !l.fetched {
		l.response, l.err = l.api.QueryServing(ctx, l.id)
		l.fetched = true
	}
	return l.response, l.err
}

// checkUnchangedSincePlan rejects an update, or a wait alone, that would not
// lead to the planned result because another client has changed the serving
// since the plan: the wait could only time out. Changes that the update itself
// overwrites do not matter, and a serving that Kuscia cannot show is updated
// nevertheless. desired has the text that is sent.
func checkUnchangedSincePlan(ctx context.Context, live *liveServing, desired rules.Serving, request *kuscia.UpdateServingRequest, redeploy bool, private rules.Private, diags *diag.Diagnostics) {
	response, err := live.get(ctx)
	switch {
	case unreadableWithoutImage(err):
		return
	case err != nil:
		message.AddError(diags, "Unable to read serving before updating it", withDeletedHint(live.id, err))
		return
	}
	if changed := rules.ChangedSincePlan(desired, response, request, redeploy, private); len(changed) > 0 {
		diags.AddAttributeError(path.Root("parties"), "Serving was changed after the plan", fmt.Sprintf(
			"Another client has changed %s of serving %q, so the result would differ from this plan. Nothing was sent; plan and apply again.", strings.Join(changed, ", "), live.id))
	}
}
