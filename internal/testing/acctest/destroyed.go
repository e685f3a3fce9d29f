package acctest

import (
	"context"
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ServingExists queries whether a serving exists.
func (e *Env) ServingExists(ctx context.Context, id string) (bool, error) {
	statuses, err := e.API.BatchQueryServingStatus(ctx, []string{id})
	switch {
	case errors.Is(err, kuscia.ErrNotFound): // old servers
		return false, nil
	case err != nil:
		return false, fmt.Errorf("does serving %s exist: %w", id, err)
	}
	return len(statuses) > 0, nil
}
