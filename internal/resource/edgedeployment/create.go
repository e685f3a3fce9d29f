package edgedeployment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

const typeName = "kuscia_edge_deployment"

// errNoneOfThatName is returned if a list has no deployment with a name.
var errNoneOfThatName = errors.New("there is no deployment of this name")

// errorKinds classifies the errors of IEF.
var errorKinds = lifecycle.Errors{
	Exists:          func(err error) bool { return errors.Is(err, apierror.ErrExists) },
	MayHaveHappened: apierror.OutcomeUnknown,
	NotFound:        func(err error) bool { return errors.Is(err, errNoneOfThatName) },
	Transient: func(err error) bool {
		for _, transient := range []error{apierror.ErrUnavailable, apierror.ErrUnexpectedAnswer, context.Canceled, context.DeadlineExceeded} {
			if errors.Is(err, transient) {
				return true
			}
		}
		return false
	},
}

// creation is a create of a deployment of which only the name is known in
// advance: IEF generates the id, and its documentation does not guarantee
// unique names.
type creation struct {
	client  api
	scope   ief.Scope
	request *ief.CreateRequest
	planned tftypes.Value

	// made is the deployment that was created or found.
	made *ief.Deployment
	// lost is the error of a request whose outcome is unknown.
	lost error
}

// do creates the deployment, or determines the outcome of the create. It looks
// up the name first, so that a deployment that is found after a lost response
// is from this create.
func (c *creation) do(ctx context.Context, adopt bool) lifecycle.Result {
	return lifecycle.Create[*ief.Deployment]{
		Errors: errorKinds, AdoptExisting: adopt, LookupFirst: true,
		Send: c.send, Lookup: c.lookup, Differences: c.differences,
	}.Do(ctx)
}

// send sends the request at most once: a second request could create a second
// deployment.
func (c *creation) send(ctx context.Context) error {
	if c.lost != nil {
		return c.lost
	}
	made, err := c.client.Create(ctx, c.scope, c.request)
	if err != nil {
		if apierror.OutcomeUnknown(err) {
			c.lost = err
		}
		return err //nolint:wrapcheck // the client's errors describe the request
	}
	c.made = made
	return nil
}

// lookup returns the deployment with the name. If there are several, it prefers
// one that is as configured.
func (c *creation) lookup(ctx context.Context) (*ief.Deployment, error) {
	found, err := named(ctx, c.client, c.scope, c.request.Name)
	if err != nil {
		return nil, err
	}
	for _, candidate := range found {
		if len(c.differences(candidate)) == 0 {
			c.made = candidate
			return candidate, nil
		}
	}
	if len(found) > 0 {
		c.made = found[0]
		return found[0], nil
	}
	return nil, errNoneOfThatName
}

// named returns the deployments with exactly this name, since the filter of a
// list also matches names that contain it.
func named(ctx context.Context, client api, scope ief.Scope, name string) ([]*ief.Deployment, error) {
	listed, err := client.List(ctx, scope, ief.Filter{Name: name}, 0)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors describe the request
	}
	var found []*ief.Deployment
	for i := range listed {
		if listed[i].Name == name {
			found = append(found, &listed[i])
		}
	}
	return found, nil
}

func (c *creation) differences(d *ief.Deployment) []string {
	var different []string
	for _, at := range deployment.Differences(c.planned, answered(c.scope, d, c.planned)) {
		if name := at.String(); name != "id" && name != "created_at" && name != "project_id" {
			different = append(different, name)
		}
	}
	return different
}

// report reports why nothing was created, or that the outcome is unknown.
func (c *creation) report(diags *diag.Diagnostics, result lifecycle.Result) {
	summary := fmt.Sprintf("Unable to create edge deployment %q", c.request.Name)
	var taken *lifecycle.AlreadyExistsError
	switch {
	case result.Err == nil && result.Outcome == lifecycle.Adopted:
		diags.AddWarning(fmt.Sprintf("Edge deployment %q existed and was adopted", c.request.Name),
			"It is exactly as configured, and adopt_existing is set. Terraform now manages it.")
	case result.Err == nil:
	case result.Outcome == lifecycle.Unknown:
		clients.AddError(diags, summary, result.Err)
		diags.AddError(fmt.Sprintf("It is unknown whether edge deployment %q was created", c.request.Name),
			"The request to create it may have been carried out, and the lookup afterwards failed. It is kept in the state and marked as tainted; the next plan looks for a deployment of this name.")
	case errors.As(result.Err, &taken):
		diags.AddAttributeError(path.Root("name"), summary, c.takenText(taken))
	default:
		clients.AddError(diags, summary, result.Err)
	}
}

func (c *creation) takenText(taken *lifecycle.AlreadyExistsError) string {
	var text strings.Builder
	text.WriteString("IEF has a deployment of this name that is not in this state.")
	if taken.AnswerLost {
		fmt.Fprintf(&text, " The response to the request was lost (%s).", taken.Cause)
	}
	if len(taken.Differences) > 0 {
		shown := taken.Differences[:min(len(taken.Differences), 5)]
		fmt.Fprintf(&text, " It differs from the configuration in %s and was not changed.", strings.Join(shown, ", "))
	}
	if taken.LookupErr != nil {
		fmt.Fprintf(&text, " It could not be compared with the configuration: %s.", taken.LookupErr)
	}
	if c.made != nil {
		fmt.Fprintf(&text, "\n\nTo manage it here, import it: add this block to the configuration, with the name of the resource instead of NAME,\n\n%s", clients.ImportBlock(typeName, importID(httpapi.Text(c.made.ID), c.scope.InstanceID)))
	}
	if len(taken.Differences) == 0 {
		text.WriteString("\nAn apply that was killed may have left it. To continue after such an apply without an import, set adopt_existing = true in the provider block: what is exactly as configured is then adopted.\n")
	}
	text.WriteString("\nOtherwise choose another name. In a replacement with create_before_destroy the old deployment still has this one.")
	return text.String()
}
