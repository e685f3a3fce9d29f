package serving

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

func deleteServing(s *server.Node, from server.Caller, request *DeleteServingRequest) server.Response {
	defer s.ControlPlane.Acquire()()
	w := Of(s.ControlPlane)
	if request.ServingID == "" {
		return server.Refuse(server.CodeValidate, "serving id can not be empty")
	}
	sv := w.byID[request.ServingID]
	if sv == nil {
		return server.Refuse(codeDeleteServing, server.LookupError(Kind, request.ServingID))
	}
	if !isParty(from, sv.spec.Parties) {
		return server.Refuse(codeDeleteServing, "serving not found")
	}
	w.removeServing(sv)
	return server.Done()
}

// removeServing deletes the serving immediately; its Deployments and Services
// remain for some time, and are then removed by name, even if they belong to
// another serving by then.
func (w *Servings) removeServing(sv *serving) {
	delete(w.byID, sv.id)
	if w.external != nil {
		w.external.Removed(sv.id)
		return
	}
	w.cleaning[sv.id] = w.After(w.Timing.Cleanup, func() { w.cleanUp(sv.id) })
}
