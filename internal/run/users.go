package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/message"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// User is an object that uses another one.
type User struct {
	// TypeNames are the types of resources that may manage it, and ID its import id.
	TypeNames []string
	ID        string
	// Title is its kind in messages.
	Title string
}

const (
	// destroysTogether is how long the plan of a deletion waits for the planned deletions of
	// the users of its object, which may have no reference to it.
	destroysTogether = time.Second
	// maxUsers is the number of users that a warning names.
	maxUsers = 10
)

// RecordDestroyed records that this run is going to delete an object.
func (r *Run) RecordDestroyed(typeName, id string) {
	if r != nil {
		r.Objects.Record(typeName, id, Destroyed)
	}
}

// WarnUsers warns that this run deletes an object, the domain "alice" for instance, but not some
// of its users. title is its kind. without is what happens to them, as a sentence.
func (r *Run) WarnUsers(ctx context.Context, diags *diag.Diagnostics, title, object, without string, users []User) {
	users = r.keptUsers(ctx, users)
	if len(users) == 0 {
		return
	}
	var named []string
	for _, u := range users[:min(len(users), maxUsers)] {
		named = append(named, fmt.Sprintf("%s %q", u.Title, httpapi.Text(u.ID)))
	}
	if more := len(users) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	diags.AddWarning(message.Capitalize(title)+" is still used", fmt.Sprintf("This plan destroys the %s, and not what uses it: %s.\n\n%s Destroy or change these first, unless they are destroyed later by this run.",
		object, strings.Join(named, ", "), without))
}

// keptUsers returns the users that this run does not delete.
func (r *Run) keptUsers(ctx context.Context, users []User) []User {
	isDestroyed := func(u User) bool {
		return slices.ContainsFunc(u.TypeNames, func(typeName string) bool { return r.Objects.Is(typeName, u.ID, Destroyed) })
	}
	for began := time.Now(); ; {
		users = slices.DeleteFunc(users, isDestroyed)
		if len(users) == 0 || time.Since(began) >= destroysTogether || !wait.Sleep(ctx, destroysTogether/20) {
			return users
		}
	}
}

// ServingsOf returns the servings and KusciaDeployments in the cluster that have such a party.
// Without a cluster, or without the permission to list them, there is no answer.
func (r *Run) ServingsOf(ctx context.Context, has func(kube.KusciaDeploymentParty) bool) (users []User) {
	for _, d := range listedOnce(ctx, r, "KusciaDeployments", func(ctx context.Context, client *kube.Client) ([]*kube.KusciaDeployment, error) {
		return client.ListKusciaDeployments(ctx, "", "")
	}) {
		if !slices.ContainsFunc(d.Spec.Parties, has) {
			continue
		}
		title := "KusciaDeployment"
		if d.Metadata.Labels[kube.LabelAppType] == kube.AppTypeServing {
			title = "serving"
		}
		users = append(users, User{[]string{"kuscia_serving", "kuscia_deployment"}, d.Metadata.Name, title})
	}
	return users
}

// RoutesOf returns the routes of a domain in the cluster, without those that Kuscia creates and
// deletes itself.
func (r *Run) RoutesOf(ctx context.Context, domain string) (users []User) {
	for _, route := range listedOnce(ctx, r, "ClusterDomainRoutes", func(ctx context.Context, client *kube.Client) ([]kube.ClusterDomainRoute, error) {
		return client.ListClusterDomainRoutes(ctx)
	}) {
		if !route.IsAutomatic() && (route.Spec.Source == domain || route.Spec.Destination == domain) {
			users = append(users, User{[]string{"kuscia_domain_route"}, route.Spec.Source + "/" + route.Spec.Destination, "route"})
		}
	}
	return users
}

// DataOf returns the data of a domain, and the grants by and to it.
func (r *Run) DataOf(ctx context.Context, domain string) (users []User) {
	var unused diag.Diagnostics
	if !r.ReachedKuscia(ctx, &unused) {
		return nil
	}
	data, _ := r.Kuscia.ListDomainData(ctx, kuscia.DomainDataFilter{DomainID: domain})
	for _, d := range data {
		if d.Author == domain {
			users = append(users, User{[]string{TypeDomainData}, domain + "/" + d.DomainDataID, "domain data"})
		}
	}
	grants, _ := r.Kuscia.ListDomainDataGrants(ctx, kuscia.DomainDataGrantFilter{DomainID: domain})
	for _, g := range grants {
		users = append(users, User{[]string{"kuscia_domain_data_grant"}, g.Data.Author + "/" + g.Data.DomainDataGrantID, "grant"})
	}
	return users
}

// listedOnce returns the objects of a kind in the cluster, listed once in a run; nil if they
// cannot be listed.
func listedOnce[V any](ctx context.Context, r *Run, kind Key[*cache[[]V]], list func(context.Context, *kube.Client) ([]V, error)) []V {
	var unused diag.Diagnostics
	if !r.HasKubernetes() {
		return nil
	}
	client, ready := r.ReadyKubernetes(&unused)
	if !ready {
		return nil
	}
	found, _ := Value(r, kind, func() *cache[[]V] {
		return newCache(func(ctx context.Context, _ string) ([]V, error) {
			ctx, cancel := context.WithTimeout(ctx, rolloutsTimeout)
			defer cancel()
			found, _ := list(ctx, client)
			return found, nil // a failed list is not repeated
		})
	}).get(ctx, "")
	return found
}
