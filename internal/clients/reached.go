package clients

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// reachedIn is how long a plan waits for Kuscia before it is made without it.
const reachedIn = 10 * time.Second

// reached is whether Kuscia answers in this run.
type reached struct {
	once     sync.Once
	err      error
	reported sync.Once
}

// ReachedKuscia reports whether the plan of a change can be checked against Kuscia. A plan
// with new objects sends nothing otherwise, so a wrong token would only be noticed in the
// apply. One request tells, once for all objects of a run: refused credentials are an error,
// and a server that does not answer is a warning. Nothing is reported while the provider
// block has unknown values.
func (c *Clients) ReachedKuscia(ctx context.Context, diags *diag.Diagnostics) bool {
	var unused diag.Diagnostics
	if c == nil || c.Kuscia == nil || !c.ReadyKuscia(&unused) {
		return false
	}
	c.reached.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reachedIn)
		defer cancel()
		// Every node answers the first query, and a gateway that lets only some requests pass
		// the second.
		_, err := c.Kuscia.BatchQueryDomains(ctx, []string{kuscia.MasterDomain})
		var e *kuscia.Error
		if !hasAnswered(err) && errors.As(err, &e) && e.HTTPStatus != 0 {
			_, err = c.Kuscia.BatchQueryServingStatus(ctx, []string{kuscia.MasterDomain})
		}
		if !hasAnswered(err) {
			c.reached.err = err
		}
	})
	err := c.reached.err
	if err == nil {
		return true
	}
	c.reached.reported.Do(func() {
		if isRefused(err) {
			AddError(diags, "Kuscia cannot be used with these settings", fmt.Errorf("%w\n\nThe plan was not checked. Correct the settings in the provider \"kuscia\" block, or its environment variables (KUSCIA_...)", err))
			return
		}
		AddWarning(diags, "Not checked against Kuscia", fmt.Errorf(
			"%w\n\nThe plan was made without Kuscia: an apply finds out whether Kuscia accepts the credentials, and whether the objects exist to which this configuration refers", err))
	})
	return false
}

// hasAnswered reports whether a KusciaAPI has accepted the credentials: it has executed the
// request, or refused it by a code of its own. The code of a lite node that cannot reach its
// master says nothing.
func hasAnswered(err error) bool {
	var e *kuscia.Error
	return err == nil || errors.As(err, &e) && e.Code != "" && !errors.Is(err, kuscia.ErrUnavailable)
}

// isRefused reports whether the connection or the credentials are refused for good.
func isRefused(err error) bool {
	var e *kuscia.Error
	return errors.As(err, &e) && (e.HTTPStatus == http.StatusUnauthorized || e.HTTPStatus == http.StatusForbidden) || errors.Is(err, kuscia.ErrTLS)
}
