package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// whyUnread returns the error of a query that has failed: NotFound only for a serving that is
// certainly deleted. A node that is not a party of a serving hides it: its query fails with a
// message of its own, and the batch status omits the id as for a deleted serving. So both must
// report that the serving does not exist, and the node must be one that would have it. Error
// messages for existing servings contain "not found" too.
func whyUnread(ctx context.Context, c *run.Run, prior rules.Serving, cause error) error {
	id := prior.ServingID().ValueString()
	switch {
	case errors.Is(cause, kuscia.ErrNotAParty):
		return fmt.Errorf("serving is hidden from this node: %w", errors.Join(errNotShownHere, cause))
	case errors.Is(cause, kuscia.ErrNotFound):
		return whyMissing(ctx, c, prior, cause)
	case !unreadableWithoutImage(cause):
		return cause
	}
	if statuses, err := c.Kuscia.BatchQueryServingStatus(ctx, []string{id}); err != nil || len(statuses) == 0 {
		return cause
	}
	state, or := " Its state is unchanged.", ", or change app_image."
	if len(prior.Parties().Items) == 0 { // an import, which knows only the ID
		state, or = "", ", then import the serving."
	}
	if errors.Is(cause, kuscia.ErrTemplateMissing) {
		// The server's text is a dump of the app image with its environment.
		return &unreadableError{fmt.Sprintf("serving %q exists, and Kuscia cannot return it because an app image it uses no longer has a deploy template for the role of a party.%s Add such a template to the app image again%s", id, state, or)}
	}
	return &unreadableError{fmt.Sprintf("%s. Serving %q exists, and Kuscia cannot return it because an app image that it uses was deleted.%s Create the app image again%s", strings.TrimRight(cause.Error(), ". "), id, state, or)}
}

var errNotShownHere = errors.New("the state of the serving is unchanged: it may exist although this node does not return it")

// unreadableError reports a serving that exists and that Kuscia cannot return. It does not wrap the
// error of the query, which says that something was not found.
type unreadableError struct{ text string }

func (e *unreadableError) Error() string { return e.text }

// unreadable keeps the state of a serving that exists and that Kuscia cannot return.
func unreadable(err error, state map[string]definition.Value) (map[string]definition.Value, bool) {
	var exists *unreadableError
	return state, errors.As(err, &exists)
}

// whyMissing returns cause if a serving is certainly deleted, and otherwise an error that does not
// say so.
func whyMissing(ctx context.Context, c *run.Run, prior rules.Serving, cause error) error {
	statuses, err := c.Kuscia.BatchQueryServingStatus(ctx, []string{prior.ServingID().ValueString()})
	switch {
	case err != nil && !errors.Is(err, kuscia.ErrNotFound):
		return err
	case len(statuses) > 0:
		return fmt.Errorf("the batch status lists it, so it exists: %s", cause) //nolint:errorlint // it must not be NotFound
	}
	if err := checkNodeKnowsServing(ctx, c, prior); err != nil {
		return fmt.Errorf("unknown whether serving exists: %w", err)
	}
	return cause
}

// wrongNodeError reports that a node would not return a serving even if it
// existed.
type wrongNodeError struct{ servingID, why string }

func (e *wrongNodeError) Error() string {
	return fmt.Sprintf("this node has no serving %q, and could not have it: %s. The state is unchanged. Check that endpoint is the Kuscia on which the serving was created. If it is, and the serving was deleted together with its domains, remove it from the state: terraform state rm ADDRESS", e.servingID, e.why)
}

// checkNodeKnowsServing returns an error unless the queried node would have a
// serving if it existed. An autonomy (P2P) node has a control plane of its own
// in which other nodes' domains are partners, and a serving is managed on the
// node of its initiator. A master, and the lite nodes that it serves, have the
// domains of all parties. A node that refuses queries of domains has no control
// plane of its own.
func checkNodeKnowsServing(ctx context.Context, c *run.Run, prior rules.Serving) error {
	id, initiator := prior.ServingID().ValueString(), prior.Initiator().ValueString()
	if initiator == "" { // as in an import
		return nil
	}
	partner, err := c.Domains.IsPartner(ctx, initiator)
	switch {
	case partner:
		return &wrongNodeError{id, fmt.Sprintf("the domain of its initiator, %q, is a partner of this node and runs on another node", initiator)}
	case err == nil:
		return nil
	case !errors.Is(err, kuscia.ErrNotFound):
		return fmt.Errorf("looking up the domain of its initiator: %w", err)
	}
	// The domain of the initiator may have been deleted as well.
	parties := prior.Parties().Items
	for _, p := range parties {
		partner, err := c.Domains.IsPartner(ctx, p.DomainID().ValueString())
		switch {
		case err == nil && !partner:
			return nil
		case err != nil && !errors.Is(err, kuscia.ErrNotFound):
			return fmt.Errorf("looking up the domain of a party: %w", err)
		}
	}
	return &wrongNodeError{id, fmt.Sprintf("it does not have the domain of the initiator, %q, and runs none of the parties", initiator)}
}

// missingError reports that a serving does not exist. Kuscia's own text names
// the internal object of its store.
type missingError struct {
	text  string
	cause error
}

func (e *missingError) Error() string { return e.text }

func (e *missingError) Unwrap() error { return e.cause }

// withDeletedHint explains an update that finds no serving: Terraform plans an
// update only for a serving that it has read.
func withDeletedHint(servingID string, err error) error {
	if !errors.Is(err, kuscia.ErrNotFound) {
		return err
	}
	return &missingError{fmt.Sprintf("serving %q no longer exists: it was deleted after the plan. Nothing was changed. Plan again: the new plan creates it.", servingID), err}
}

// withNewVersionHint explains how to restart pods whose write-only configuration
// text cannot be read from Kuscia, because an app image was deleted.
func withNewVersionHint(err error) error {
	if !unreadableWithoutImage(err) {
		return err
	}
	return fmt.Errorf("%w. Nothing was changed: the configuration text is write-only, and Kuscia cannot return it while an app image of the serving is missing. Increase %s: the text of the configuration is then sent, and restarts the pods", err, rules.AttrConfigVersion)
}

// withNotFoundHint explains err, the error of a data source that finds no serving.
func withNotFoundHint(servingID string, err error) error {
	return &missingError{fmt.Sprintf("Kuscia has no serving %q. Check serving_id, and that endpoint is the Kuscia on which the serving was created. If a serving may be missing, use the data source kuscia_serving_status: it lists those that are.", servingID), err}
}

// unreadableWithoutImage reports whether a serving exists but cannot be shown
// because one of its app images is deleted or no longer has a template for a
// role.
func unreadableWithoutImage(err error) bool {
	return errors.Is(err, kuscia.ErrAppImageMissing) || errors.Is(err, kuscia.ErrTemplateMissing)
}
