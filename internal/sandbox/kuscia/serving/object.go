package serving

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
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

// Object is the kind serving, with Deployments and Services.
var Object = server.Object{
	Name: servingsName, Plural: Kind,
	Operations: map[string]server.Operation{
		"serving/create":            server.Handle(CodeCreateServing, createServing).ForDomains(),
		"serving/query":             server.Handle(codeQueryServing, queryServing).Data().ForDomains(),
		"serving/update":            server.Handle(codeUpdateServing, updateServing).ForDomains(),
		"serving/delete":            server.Handle(codeDeleteServing, deleteServing).ForDomains(),
		"serving/status/batchQuery": server.Handle(CodeServingStatus, batchQueryServingStatus).Data().ForDomains(),
	},
	IDFields:       []string{"serving_id"},
	Save:           saveServings,
	Restore:        restoreServings,
	RestoreEarlier: restoreEarlierServings,
	Snapshot:       snapshotStatuses,
}

// Servings are all servings, with their controller.
type Servings struct {
	*server.ControlPlane
	byID      map[string]*serving
	Cluster   *cluster.Cluster
	domains   *domain.Domains
	images    *appimage.Images
	usedPorts map[string]map[int32]bool
	// cleaning is the time until which the controller removes the leftovers of
	// a deleted serving; a new serving with that id waits, unless leftovers are
	// adopted.
	cleaning map[string]time.Time
	// external are the controllers that run servings; nil means the sandbox's
	// own.
	external          Controllers
	externalEndpoints map[cluster.Key][]any
}

// Of returns the servings of a control plane. It is called with the lock held.
func Of(w *server.ControlPlane) *Servings {
	servings := server.Stored[Servings](w)
	if servings.ControlPlane == nil {
		*servings = Servings{
			ControlPlane: w, domains: domain.Of(w), images: appimage.Of(w),
			byID: map[string]*serving{}, usedPorts: map[string]map[int32]bool{}, cleaning: map[string]time.Time{},
		}
		servings.Cluster = cluster.New(w.Engine, w.Timing, servings.lagUntil, servings.deploymentChanged)
	}
	return servings
}

// lagUntil is the time until which the controllers ignore a serving.
func (w *Servings) lagUntil(id string) time.Time {
	if sv := w.byID[id]; sv != nil {
		return sv.lagUntil
	}
	return time.Time{}
}

// deploymentChanged schedules the controller for the serving of a Deployment.
func (w *Servings) deploymentChanged(id string) {
	if sv := w.byID[id]; sv != nil {
		w.wake(sv, w.Timing.Observe)
	}
}
