package run

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
)

// A plan with new objects sends nothing to their server otherwise, so a wrong token would only
// be noticed in the apply. One request tells, once for all objects of a run: refused credentials
// are an error, and a server that does not answer is a warning. Nothing is reported while the
// provider block has unknown values.

// reachedIn is how long a plan waits for a server before it is made without it.
const reachedIn = 10 * time.Second

// reached is whether a server answers in this run.
type reached struct {
	once     sync.Once
	answered atomic.Bool
	// err is valid once done is closed.
	done     chan struct{}
	err      error
	reported sync.Once
}

// check reports whether a server answers: ask returns nil if it does. Without diags, nothing is
// reported. name is that of the server,
// and settings where they are, if it refuses the credentials. A caller whose context ends
// stops waiting; others may wait for the same answer.
func (r *reached) check(ctx context.Context, diags *diag.Diagnostics, name, settings string, ask func(context.Context) error) bool {
	r.once.Do(func() {
		r.done = make(chan struct{})
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reachedIn)
			defer cancel()
			r.err = ask(ctx)
			r.answered.Store(r.err == nil)
			close(r.done)
		}()
	})
	select {
	case <-ctx.Done():
		return false // the CLI discards an interrupted plan
	case <-r.done:
	}
	err := r.err
	if err == nil {
		return true
	}
	if diags == nil {
		return false
	}
	r.reported.Do(func() {
		if isRefused(err) {
			diags.AddError(message.Capitalize(name)+" cannot be used with these settings", message.Detail(err)+fmt.Sprintf("\n\nThe settings are %s. Nothing else of the plan was checked.", settings))
			return
		}
		diags.AddWarning("Not checked against "+name, message.Detail(err)+fmt.Sprintf(
			"\n\nThe plan was made without %s: the apply finds out whether it accepts the credentials, and whether the objects exist to which this configuration refers.", name))
	})
	return false
}

// ReachedKuscia reports whether the plan of a change can be checked against Kuscia.
func (r *Run) ReachedKuscia(ctx context.Context, diags *diag.Diagnostics) bool {
	var unused diag.Diagnostics
	if r == nil || r.Kuscia == nil || !r.ReadyKuscia(&unused) {
		return false
	}
	return r.reached.kuscia.check(ctx, diags, "Kuscia", `those of the provider "kuscia" block, or its environment variables (KUSCIA_...)`, func(ctx context.Context) error {
		// Every node answers the first query, and a gateway that lets only some requests pass
		// the second.
		_, err := r.Kuscia.BatchQueryDomains(ctx, []string{kuscia.MasterDomain})
		var e *kuscia.Error
		if !hasAnswered(err) && errors.As(err, &e) && e.HTTPStatus != 0 {
			_, err = r.Kuscia.BatchQueryServingStatus(ctx, []string{kuscia.MasterDomain})
		}
		if hasAnswered(err) {
			return nil
		}
		return err
	})
}

// ReachedKubernetes is ReachedKuscia for the cluster. Without diags, nothing is reported.
func (r *Run) ReachedKubernetes(ctx context.Context, diags *diag.Diagnostics) bool {
	if !r.HasKubernetes() {
		return false
	}
	client, err := r.Kubernetes.Open()
	if err != nil {
		if diags != nil {
			r.reached.kubernetes.reported.Do(func() { r.ReadyKubernetes(diags) })
		}
		return false
	}
	return r.reached.kubernetes.check(ctx, diags, "the Kubernetes API", `kubernetes in the provider "kuscia" block, or its environment variables (KUSCIA_KUBE_...)`, func(ctx context.Context) error {
		// Every user with valid credentials may discover the kinds. Where an administrator has
		// changed that, a user may still have access to objects.
		_, err := client.Serves(ctx, kube.KusciaDeployments)
		if isRefused(err) {
			_, err = client.Get(ctx, kube.KusciaDeployments, kube.CrossDomain, kuscia.MasterDomain)
		}
		return unlessAnswered(err)
	})
}

// ReachedIEF is ReachedKuscia for IEF.
func (r *Run) ReachedIEF(ctx context.Context, scope ief.Scope, diags *diag.Diagnostics) bool {
	if r == nil || r.IEF.Client == nil {
		return false
	}
	return r.reached.ief.check(ctx, diags, "IEF", `ief in the provider "kuscia" block, or its environment variables`, func(ctx context.Context) error {
		_, err := r.IEF.Client.Get(ctx, scope, noDeployment)
		return unlessAnswered(err)
	})
}

// noDeployment is the ID of no deployment of IEF.
const noDeployment = "00000000-0000-0000-0000-000000000000"

// unlessAnswered returns an error unless it is the answer of a server that has accepted the
// credentials.
func unlessAnswered(err error) error {
	var e *apierror.Error
	if errors.As(err, &e) && !isRefused(err) && e.HTTPStatus >= http.StatusBadRequest && e.HTTPStatus < http.StatusInternalServerError {
		return nil
	}
	return err
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
	var e *apierror.Error
	return errors.As(err, &e) && (e.HTTPStatus == http.StatusUnauthorized || e.HTTPStatus == http.StatusForbidden || e.Cause == httpapi.CauseCredentials) || errors.Is(err, apierror.ErrTLS)
}
