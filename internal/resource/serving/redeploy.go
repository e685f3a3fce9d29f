package serving

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// redeployAPI is the part of the client that a redeploy uses.
type redeployAPI interface {
	QueryServing(ctx context.Context, servingID string) (*kuscia.Serving, error)
	UpdateServing(ctx context.Context, request *kuscia.UpdateServingRequest) error
}

// lostError reports that it is unknown whether the request took effect.
type lostError struct{ cause error }

func (e *lostError) Unwrap() error { return e.cause }

func (e *lostError) Error() string {
	return "the response was lost, so it is unknown whether the pods are being restarted: " + e.cause.Error()
}

const (
	// redeployFor limits how long conflicts and lost responses are retried.
	redeployFor = time.Minute
	// redeployPause is the longest pause before a retry.
	redeployPause = 300 * time.Millisecond
)

// redeploy restarts the pods of every party: it sends the configuration text
// that Kuscia has, with different white space. check may reject the serving that
// was found. A conflict means that another client has changed the serving; its
// text is then read again. After a lost response the text shows whether the
// request took effect. redeploy returns the serving as last read, with the
// status before the update.
func redeploy(ctx context.Context, api redeployAPI, servingID string, check func(*kuscia.Serving) error) (*kuscia.Serving, error) {
	began := time.Now()
	var lost error
	var before *kuscia.ServingStatusDetail
	var sent string
	for {
		current, err := api.QueryServing(ctx, servingID)
		switch {
		case err != nil && lost != nil:
			return nil, &lostError{cause: errors.Join(lost, err)}
		case err != nil:
			return nil, err
		case lost != nil && current.ServingInputConfig == sent:
			current.Status = before
			return current, nil
		}
		if err := check(current); err != nil {
			return nil, err
		}
		before = current.Status
		// The text is masked from here on; the responses before could not
		// contain it.
		calling := kuscia.WithoutConflictRetries(kuscia.WithMaskedText(ctx, current.ServingInputConfig))
		sent, lost = rules.ChangeWhitespace(current.ServingInputConfig, current.ServingInputConfig), nil
		err = api.UpdateServing(calling, &kuscia.UpdateServingRequest{ServingID: servingID, ServingInputConfig: sent})
		switch {
		case err == nil:
			return current, nil
		case apierror.OutcomeUnknown(err):
			lost = err
		case !errors.Is(err, kuscia.ErrConflict):
			return nil, err
		}
		if time.Since(began) > redeployFor || !wait.Sleep(ctx, redeployPause/2+rand.N(redeployPause/2)) {
			if lost != nil {
				return nil, &lostError{cause: err}
			}
			return nil, err
		}
	}
}

// refusedError is the reason why a serving was not redeployed.
type refusedError struct{ check.Issue }

func (e *refusedError) Error() string { return e.Summary + ": " + e.Detail }

// checkRedeployable returns an error if a redeploy of the serving would cause a
// change in its next plan.
func checkRedeployable(current *kuscia.Serving) error {
	text := current.ServingInputConfig
	switch {
	case tfvalue.IsJSON(text):
		return nil
	case text == "":
		return &refusedError{check.Issue{Summary: "Missing configuration text",
			Detail: "Pods are restarted by sending serving_input_config again with different white space, and this serving has none. Set it in the resource (\"{}\" is enough; that change itself restarts every party), or replace the serving (terraform apply -replace=ADDRESS). Nothing was sent."}}
	default:
		return &refusedError{check.Issue{Summary: "Configuration text is not JSON",
			Detail: "Pods are restarted by sending serving_input_config again with different white space, which changes nothing only in a JSON object or array; in another text the next plan would show it as a difference. Make serving_input_config JSON, or replace the serving (terraform apply -replace=ADDRESS). Nothing was sent."}}
	}
}
