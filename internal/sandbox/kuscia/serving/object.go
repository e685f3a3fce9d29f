package serving

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/agent"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of serving operations.
const (
	CodeCreateServing int32 = 11600
	codeQueryServing  int32 = 11601
	CodeServingStatus int32 = 11602
	codeUpdateServing int32 = 11603
	codeDeleteServing int32 = 11604
	servingsName            = "servings"
)

var kind = objects.KindOf[objects.KusciaDeployment]()

// Object is the kind serving: a KusciaDeployment in the KusciaAPI.
var Object = server.Object{
	Name: servingsName, Kind: kind, Table: server.AsTable[objects.KusciaDeployment],
	Operations: map[string]server.Operation{
		"serving/create":            server.Handle(CodeCreateServing, Of, createServing).ForDomains(),
		"serving/query":             server.Handle(codeQueryServing, Of, queryServing).Data().Field("parties.service_name_prefix", versions.ServiceNamePrefix).ForDomains(),
		"serving/update":            server.Handle(codeUpdateServing, Of, updateServing).ForDomains(),
		"serving/delete":            server.Handle(codeDeleteServing, Of, deleteServing).ForDomains(),
		"serving/status/batchQuery": server.Handle(CodeServingStatus, Of, batchQueryServingStatus).Data().ForDomains(),
	},
	IDFields: []string{"serving_id"},
	Seed:     func(w *server.ControlPlane) { Of(w) },
	Snapshot: snapshotStatuses,
}

// ClusterObject are the objects of KusciaDeployments in memory.
var ClusterObject = server.Object{Name: "cluster", Save: saveCluster, Restore: restoreCluster}

// Servings are all servings.
type Servings struct {
	*server.ControlPlane
	table   *server.Table[objects.KusciaDeployment]
	domains *domain.Domains
	images  *appimage.Images
	memory  *memory
}

// Of returns the servings of a control plane. It is called with the lock held.
func Of(w *server.ControlPlane) *Servings {
	servings := server.Stored[Servings](w)
	if servings.ControlPlane == nil {
		*servings = Servings{ControlPlane: w, table: server.TableOf[objects.KusciaDeployment](w), domains: domain.Of(w), images: appimage.Of(w)}
		m := &memory{servings: servings, passes: map[string]*pass{}, cleaning: map[string]time.Time{}}
		m.Cluster = cluster.New(w.Engine, w.Timing, agent.Agent{Store: m, Version: w.Version}, m.lagUntil, m.deploymentChanged)
		m.controller = kusciadeployment.Controller{Store: m, Version: w.Version}
		servings.memory = m
		servings.table.OnChange(m.changed)
	}
	return servings
}

// Memory is the cluster in memory.
func (w *Servings) Memory() *cluster.Cluster { return w.memory.Cluster }

// get is the KusciaDeployment of a serving, nil if it does not exist.
func (w *Servings) get(id string) *objects.KusciaDeployment {
	return w.table.Get(w.namespace(), id)
}

// namespace is that of KusciaDeployments, which old versions have without one.
func (w *Servings) namespace() string {
	if !w.Version.Has(versions.NamespacedDeployments) {
		return ""
	}
	return objects.CrossDomain
}

// deployment is a Deployment, nil if it does not exist.
func (w *Servings) deployment(namespace, name string) *objects.Deployment {
	if w.API != nil {
		return server.TableOf[objects.Deployment](w.ControlPlane).Get(namespace, name)
	}
	d, _ := w.memory.Deployment(namespace, name) // memory does not fail
	return d
}

// servicesOf are the Services of a Deployment.
func (w *Servings) servicesOf(namespace, deployment string) []*objects.Service {
	if w.API != nil {
		return server.TableOf[objects.Service](w.ControlPlane).With(namespace, map[string]string{objects.LabelDeployment: deployment})
	}
	services, _ := w.memory.ServicesOf(namespace, deployment)
	return services
}
