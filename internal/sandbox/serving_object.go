package sandbox

import (
	"time"
)

const (
	codeCreateServing int32 = 11600
	codeQueryServing  int32 = 11601
	codeServingStatus int32 = 11602
	codeUpdateServing int32 = 11603
	codeDeleteServing int32 = 11604
	kindServings            = "kusciadeployments"
	servingsName            = "servings"
)

// Servings keep their part of the state file themselves: they hang together
// with Deployments and Services.
var servingObject = Object{
	Name: servingsName, Kind: kindServings,
	Operations: map[string]Operation{
		"serving/create":            Handle(codeCreateServing, createServing).ForDomains(),
		"serving/query":             Handle(codeQueryServing, queryServing).Data().ForDomains(),
		"serving/update":            Handle(codeUpdateServing, updateServing).ForDomains(),
		"serving/delete":            Handle(codeDeleteServing, deleteServing).ForDomains(),
		"serving/status/batchQuery": Handle(codeServingStatus, batchQueryServingStatus).Data().ForDomains(),
	},
	Named:          NamedBy("serving_id"),
	Save:           saveServings,
	Restore:        restoreServings,
	RestoreEarlier: restoreEarlierServings,
	Snapshot:       snapshotStatuses,
}

// Servings are all servings, with Kuscia's controller of them.
type Servings struct {
	*World
	byID      map[string]*serving
	cluster   *Cluster
	domains   *Domains
	images    *Images
	usedPorts map[string]map[int32]bool
	// cleaning is until when the controller is busy removing what a deleted
	// serving left; a new serving of that id waits, unless leftovers are adopted.
	cleaning map[string]time.Time
}

func servingsOf(w *World) *Servings {
	servings := stored[Servings](w)
	if servings.World == nil {
		*servings = Servings{
			World: w, domains: domainsOf(w), images: ImagesOf(w),
			byID: map[string]*serving{}, usedPorts: map[string]map[int32]bool{}, cleaning: map[string]time.Time{},
		}
		servings.cluster = NewCluster(w.Engine, w.Timing, servings.lagUntil, servings.deploymentChanged)
	}
	return servings
}

// lagUntil is until when the controllers leave a serving alone.
func (w *Servings) lagUntil(id string) time.Time {
	if sv := w.byID[id]; sv != nil {
		return sv.lagUntil
	}
	return time.Time{}
}

// deploymentChanged lets the controller look at the serving of a Deployment.
func (w *Servings) deploymentChanged(id string) {
	if sv := w.byID[id]; sv != nil {
		w.wake(sv, w.Timing.Observe)
	}
}
