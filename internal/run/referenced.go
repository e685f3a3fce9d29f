package run

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// ObjectKind is a kind of object to which other objects refer.
type ObjectKind struct {
	// TypeName is the type of its resource, Attribute the attribute of that with its id, and
	// Title its name in messages. The first two are "" if no resource manages it.
	TypeName, Attribute, Title string
	// Kubernetes is the kind of an object that is looked up in the cluster, whose import id is
	// its namespace, if it has one, and its name; nil for objects of the KusciaAPI.
	Kubernetes *kube.Kind
	// query returns an error that is kuscia.ErrNotFound if the KusciaAPI has no object with an
	// import id.
	query func(ctx context.Context, r *Run, id string) error
}

// The resource types of objects to which others refer.
const (
	TypeDomain     = "kuscia_domain"
	TypeAppImage   = "kuscia_app_image"
	TypeDomainData = "kuscia_domain_data"
	TypeDataSource = "kuscia_domain_data_source"
	TypeConfig     = "kuscia_config"
)

// The kinds of objects of the KusciaAPI to which others refer.
var (
	DomainObjects     = &ObjectKind{TypeDomain, "domain_id", "domain", nil, queryDomain}
	AppImageObjects   = &ObjectKind{TypeAppImage, "name", "app image", nil, queryAppImage}
	DomainDataObjects = &ObjectKind{TypeDomainData, "domaindata_id", "domain data", nil, queryDomainData}
	DataSourceObjects = &ObjectKind{TypeDataSource, "datasource_id", "data source", nil, queryDataSource}
	ConfigObjects     = &ObjectKind{TypeConfig, "key", "configuration entry", nil, queryConfig}
)

// The same kinds in the cluster.
var (
	ClusterDomains   = InCluster(kube.Domains, TypeDomain, "domain_id", "domain")
	ClusterAppImages = InCluster(kube.AppImages, TypeAppImage, "name", "app image")
)

// InCluster returns a kind of objects in the cluster.
func InCluster(kind kube.Kind, typeName, attribute, title string) *ObjectKind {
	return &ObjectKind{TypeName: typeName, Attribute: attribute, Title: title, Kubernetes: &kind}
}

// IsSame reports whether two kinds are the same.
func (k *ObjectKind) IsSame(other *ObjectKind) bool {
	if k.Kubernetes == nil || other.Kubernetes == nil {
		return k == other
	}
	return *k.Kubernetes == *other.Kubernetes
}

// IsMissing reports whether the server certainly has no object with an import id, and this
// run is not going to create it, also as an object whose id is not known yet. Many objects
// refer to the same ones, so responses are shared. A node that refuses the query cannot tell.
func (r *Run) IsMissing(ctx context.Context, kind *ObjectKind, id string) bool {
	if kind.TypeName != "" && (r.Objects.Is(kind.TypeName, UnknownID, Planned) || r.Objects.Is(kind.TypeName, id, Planned)) {
		return false
	}
	if kind.Kubernetes != nil {
		namespace, name := kind.inCluster(id)
		if r.PlannedParties.Makes(*kind.Kubernetes, namespace, name) {
			return false
		}
	}
	// Before a write, an apply plans again, and another process may have made the object.
	return r.isMissing(ctx, kind, id, r.Writes() > 0)
}

// IsMissingNow is IsMissing right before a request that needs the object, whatever this run
// is going to create. That it was missing a moment ago does not count: another provider block
// may have created it since then.
func (r *Run) IsMissingNow(ctx context.Context, kind *ObjectKind, id string) bool {
	return r.isMissing(ctx, kind, id, true)
}

// isMissing looks an object up; now is set if an earlier response that it is missing does
// not count.
func (r *Run) isMissing(ctx context.Context, kind *ObjectKind, id string, now bool) bool {
	if kind.TypeName != "" && r.Objects.Is(kind.TypeName, id, Exists) {
		return false
	}
	if kind.Kubernetes != nil {
		return r.isMissingInCluster(ctx, kind, id, now)
	}
	return errors.Is(r.referenced.lookup(ctx, kind.TypeName+" "+id, now), kuscia.ErrNotFound)
}

// inCluster returns the namespace of an object in the cluster, if it has one, and its name.
func (k *ObjectKind) inCluster(id string) (namespace, name string) {
	namespace, name, namespaced := strings.Cut(id, "/")
	if !namespaced {
		return "", id
	}
	return namespace, name
}

// isMissingInCluster is isMissing for an object in the cluster.
func (r *Run) isMissingInCluster(ctx context.Context, kind *ObjectKind, id string, now bool) bool {
	var unused diag.Diagnostics
	if !r.HasKubernetes() {
		return false
	}
	client, ready := r.ReadyKubernetes(&unused)
	if !ready {
		return false
	}
	namespace, name := kind.inCluster(id)
	err := r.kubernetesReads.lookup(client, *kind.Kubernetes).lookup(ctx, namespace+"/"+name, now)
	return errors.Is(err, apierror.ErrNotFound)
}

// ForgetReferenced drops what is known of an object, after it was created, changed or
// deleted.
func (r *Run) ForgetReferenced(typeName, id string) {
	r.Objects.Forget(typeName, id, Planned)
	r.Objects.Forget(typeName, id, Exists)
	if r.referenced != nil {
		r.referenced.forget(typeName + " " + id)
	}
}

// newReferenced returns a cache for whether objects exist, by resource type and import id.
func newReferenced(r *Run) *cache[struct{}] {
	kinds := map[string]*ObjectKind{}
	for _, kind := range []*ObjectKind{DomainObjects, AppImageObjects, DomainDataObjects, DataSourceObjects, ConfigObjects} {
		kinds[kind.TypeName] = kind
	}
	found := newCache(func(ctx context.Context, key string) (struct{}, error) {
		typeName, id, _ := strings.Cut(key, " ")
		return struct{}{}, kinds[typeName].query(ctx, r, id)
	})
	found.keepError = keepRefusal
	return found
}

// keepRefusal returns how long a missing or refused object is cached: long enough for a
// plan of many objects to query it once. An apply queries what is missing again.
func keepRefusal(err error) time.Duration {
	if apierror.IsLasting(err) {
		return missingDomainKept
	}
	return 0
}

func queryDomain(ctx context.Context, r *Run, id string) error {
	return r.Domains.responses.lookup(ctx, id, true)
}

func queryAppImage(ctx context.Context, r *Run, id string) error {
	return r.AppImages.responses.lookup(ctx, id, true)
}

func queryDomainData(ctx context.Context, r *Run, id string) error {
	domain, object, _ := strings.Cut(id, "/")
	return r.queryInDomain(ctx, TypeDomainData, id, func(ctx context.Context) (map[string]bool, error) {
		found, err := r.Kuscia.ListDomainData(ctx, kuscia.DomainDataFilter{DomainID: domain})
		return idSet(found, func(d kuscia.DomainData) string { return d.DomainDataID }), err
	}, func() error {
		_, err := r.Kuscia.QueryDomainData(ctx, kuscia.DomainDataKey{DomainID: domain, DomainDataID: object})
		return err
	})
}

func queryDataSource(ctx context.Context, r *Run, id string) error {
	domain, object, _ := strings.Cut(id, "/")
	return r.queryInDomain(ctx, TypeDataSource, id, func(ctx context.Context) (map[string]bool, error) {
		found, err := r.Kuscia.ListDomainDataSources(ctx, domain)
		return idSet(found, func(d kuscia.DomainDataSource) string { return d.DataSourceID }), err
	}, func() error {
		_, err := r.Kuscia.QueryDomainDataSource(ctx, kuscia.DomainDataSourceKey{DomainID: domain, DataSourceID: object})
		return err
	})
}

func queryConfig(ctx context.Context, r *Run, id string) error {
	value, err := r.Kuscia.QueryConfig(ctx, id)
	if err == nil && value == "" { // Kuscia returns the same for a missing entry
		return kuscia.ErrNotFound
	}
	return err
}

// queryInDomain looks an object of a domain up: the first one by a query, others that follow
// soon in a list of all objects of the domain.
func (r *Run) queryInDomain(ctx context.Context, typeName, id string, list func(context.Context) (map[string]bool, error), query func() error) error {
	domain, object, _ := strings.Cut(id, "/")
	shared := Value(r, Key[*SharedList[map[string]bool]](typeName+" "+domain), func() *SharedList[map[string]bool] { return new(SharedList[map[string]bool]) })
	all, listed, err := shared.Get(ctx, list)
	switch {
	case err != nil:
		return err
	case listed && all[object]:
		return nil
	}
	return query()
}

func idSet[V any](objects []V, id func(V) string) map[string]bool {
	all := make(map[string]bool, len(objects))
	for _, object := range objects {
		all[id(object)] = true
	}
	return all
}
