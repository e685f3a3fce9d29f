package serving

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// servingAPI is what creating a serving needs of the client.
type servingAPI interface {
	CreateServing(ctx context.Context, request *kuscia.CreateServingRequest) error
	QueryServing(ctx context.Context, servingID string) (*kuscia.Serving, error)
}

// existsError says that the id is taken by a serving that this create did not
// make.
type existsError struct {
	servingID   string
	differences []string
	cause       error
}

func (e *existsError) Unwrap() error { return e.cause }

func (e *existsError) Error() string {
	text := fmt.Sprintf("serving %q exists already and is not in this state.", e.servingID)
	if len(e.differences) > 0 {
		text += " It differs from the configuration in " + strings.Join(e.differences, ", ") + "."
	}
	return text + "\n\n" + clients.ImportHelp("kuscia_serving", e.servingID, "choose another serving_id")
}

// uncertainError says that nobody knows whether the serving was created.
type uncertainError struct{ cause error }

func (e *uncertainError) Unwrap() error { return e.cause }

func (e *uncertainError) Error() string {
	return "the answer was lost and Kuscia could not be asked whether the serving was created: " + e.cause.Error()
}

// leftoverPause is the pause before a create is sent again, as long as the
// Deployments of a deleted serving of the same id are still being removed
// (0.1 to 0.6 s on Kuscia v1.1).
const leftoverPause = 300 * time.Millisecond

// leftoverPatience is how long that goes on, beside the client's own. What is still there then belongs to
// another serving: the Deployment of serving "a" for role "b" is called "a-b",
// as is that of serving "a-b" for no role.
const leftoverPatience = 30 * time.Second

// create creates a serving. When an answer was lost it looks whether the
// serving is there: one with the wanted content is taken for ours, another one
// is an error. lost says that an earlier create of the same content was
// interrupted, so that its answer was lost too. differs lists what an existing
// serving has otherwise.
func create(ctx context.Context, api servingAPI, request *kuscia.CreateServingRequest, lost bool, differs func(*kuscia.Serving) []string) error {
	patience := time.Now().Add(leftoverPatience)
	for {
		err := api.CreateServing(ctx, request)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, kuscia.ErrLeftover):
			if time.Now().After(patience) || !pause(ctx, leftoverPause) {
				return fmt.Errorf("the Deployments of these names exist, left by an earlier serving with this id or of a serving that is called like this one and a role: %w", err)
			}
			continue
		case kuscia.MayHaveHappened(err):
			lost = true
		case errors.Is(err, kuscia.ErrExists) && lost:
		case errors.Is(err, kuscia.ErrExists):
			return &existsError{servingID: request.ServingID, cause: err}
		default:
			return err
		}

		existing, lookErr := look(ctx, api, request.ServingID)
		switch {
		case lookErr != nil:
			return &uncertainError{cause: errors.Join(err, lookErr)}
		case existing != nil:
			if differences := differs(existing); len(differences) > 0 {
				return &existsError{servingID: request.ServingID, differences: differences, cause: err}
			}
			return nil
		case !pause(ctx, leftoverPause):
			return &uncertainError{cause: err}
		}
	}
}

// lastLook is the time for one more question after the caller was cancelled
// or ran out of time.
const lastLook = 5 * time.Second

// look returns the serving, or nil when there is none. It asks again until it
// gets an answer or the context ends, and then once more: the caller has to
// know.
func look(ctx context.Context, api servingAPI, servingID string) (*kuscia.Serving, error) {
	for {
		asking, final := ctx, ctx.Err() != nil
		if final {
			detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
			defer cancel()
			asking = detached
		}
		existing, err := api.QueryServing(asking, servingID)
		switch {
		case err == nil:
			return existing, nil
		case errors.Is(err, kuscia.ErrNotFound):
			return nil, nil
		case final, errors.Is(err, kuscia.ErrUnauthorized), hiddenByImage(err):
			return nil, err
		}
		pause(ctx, time.Second)
	}
}

// pause waits and reports false when the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
