package serving

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kusciadeployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of serving operations, and the kind in the texts of the store.
const (
	CodeCreateServing int32 = 11600
	codeQueryServing  int32 = 11601
	CodeServingStatus int32 = 11602
	codeUpdateServing int32 = 11603
	codeDeleteServing int32 = 11604
	Kind                    = "kusciadeployments"
	servingsName            = "servings"
)

// Object is the kind serving: a KusciaDeployment in the KusciaAPI.
var Object = server.Object{
	Name: servingsName, Plural: Kind,
	Operations: map[string]server.Operation{
		"serving/create":            server.Handle(CodeCreateServing, Of, createServing).ForDomains(),
		"serving/query":             server.Handle(codeQueryServing, Of, queryServing).Data().ForDomains(),
		"serving/update":            server.Handle(codeUpdateServing, Of, updateServing).ForDomains(),
		"serving/delete":            server.Handle(codeDeleteServing, Of, deleteServing).ForDomains(),
		"serving/status/batchQuery": server.Handle(CodeServingStatus, Of, batchQueryServingStatus).Data().ForDomains(),
	},
	IDFields: []string{"serving_id"},
	Save:     saveServings,
	Restore:  restoreServings,
	Snapshot: snapshotStatuses,
}

// kusciaDeployments are the KusciaDeployments of servings with their Deployments and
// Services, in memory or in an API server. Objects that do not exist are nil.
type kusciaDeployments interface {
	get(id string) (*objects.KusciaDeployment, error)
	all() ([]*objects.KusciaDeployment, error)
	create(kd *objects.KusciaDeployment) error
	update(kd *objects.KusciaDeployment) error
	remove(id string) error
	Deployment(namespace, name string) (*objects.Deployment, error)
	ServicesOf(namespace, deployment string) ([]*objects.Service, error)
}

// Servings are all servings.
type Servings struct {
	*server.ControlPlane
	domains *domain.Domains
	images  *appimage.Images
	memory  *memory
}

// Of returns the servings of a control plane. It is called with the lock held.
func Of(w *server.ControlPlane) *Servings {
	servings := server.Stored[Servings](w)
	if servings.ControlPlane == nil {
		*servings = Servings{ControlPlane: w, domains: domain.Of(w), images: appimage.Of(w)}
		m := &memory{servings: servings, byID: map[string]*record{}, cleaning: map[string]time.Time{}}
		m.Cluster = cluster.New(w.Engine, w.Timing, m.lagUntil, m.deploymentChanged)
		m.controller = kusciadeployment.Controller{Store: m, ExplainsPods: w.Version.ExplainsPods()}
		servings.memory = m
	}
	return servings
}

// Memory is the cluster in memory.
func (w *Servings) Memory() *cluster.Cluster { return w.memory.Cluster }

// store has the KusciaDeployments.
func (w *Servings) store() kusciaDeployments {
	if w.API != nil {
		return apiServer{w.API}
	}
	return w.memory
}

// apiServer has KusciaDeployments in an API server.
type apiServer struct{ *objects.API }

func (a apiServer) get(id string) (*objects.KusciaDeployment, error) {
	return a.KusciaDeployments.Get(objects.CrossDomain, id)
}

func (a apiServer) all() ([]*objects.KusciaDeployment, error) {
	return a.KusciaDeployments.List(objects.CrossDomain, nil)
}

func (a apiServer) create(kd *objects.KusciaDeployment) error { return a.KusciaDeployments.Create(kd) }

func (a apiServer) update(kd *objects.KusciaDeployment) error { return a.KusciaDeployments.Update(kd) }

func (a apiServer) remove(id string) error {
	return a.KusciaDeployments.Delete(objects.CrossDomain, id)
}

func (a apiServer) Deployment(namespace, name string) (*objects.Deployment, error) {
	return a.Deployments.Get(namespace, name)
}

func (a apiServer) ServicesOf(namespace, deployment string) ([]*objects.Service, error) {
	return a.Services.List(namespace, map[string]string{objects.LabelDeployment: deployment})
}
