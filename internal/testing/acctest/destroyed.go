package acctest

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// CheckServingDestroyed is a CheckDestroy that fails if one of the servings
// still exists. It uses the batch status, which also returns a serving without
// its app image.
func (e *Env) CheckServingDestroyed(ids ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		ctx, cancel := context.WithTimeout(context.Background(), outOfBandTimeout)
		defer cancel()
		for _, id := range ids {
			exists, err := e.ServingExists(ctx, id)
			if err != nil {
				return err
			}
			if exists {
				return fmt.Errorf("serving %s still exists", id)
			}
		}
		return nil
	}
}

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

// CheckAppImageDestroyed is a CheckDestroy that fails if one of the app images
// still exists.
func (e *Env) CheckAppImageDestroyed(names ...string) resource.TestCheckFunc {
	var checks []resource.TestCheckFunc
	for _, name := range names {
		checks = append(checks, CheckDestroyed("app image "+name, func(ctx context.Context) error {
			_, err := e.API.QueryAppImage(ctx, name)
			return err
		}))
	}
	return resource.ComposeAggregateTestCheckFunc(checks...)
}

// CheckDestroyed is a CheckDestroy that fails if a query still finds an object.
func CheckDestroyed(what string, query func(context.Context) error) resource.TestCheckFunc {
	return func(*terraform.State) error {
		ctx, cancel := context.WithTimeout(context.Background(), outOfBandTimeout)
		defer cancel()
		switch err := query(ctx); {
		case err == nil:
			return fmt.Errorf("%s still exists", what)
		case !errors.Is(err, kuscia.ErrNotFound):
			return fmt.Errorf("does %s exist: %w", what, err)
		}
		return nil
	}
}
