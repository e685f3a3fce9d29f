package sandbox

func deleteServing(s *Server, from caller, request *DeleteServingRequest) answer {
	w := servingsOf(s.World)
	defer w.Enter()()
	if request.ServingID == "" {
		return refuse(codeValidate, "serving id can not be empty")
	}
	sv := w.byID[request.ServingID]
	if sv == nil {
		return refuse(codeDeleteServing, lookupError(kindServings, request.ServingID))
	}
	if !takesPart(from, sv.spec.Parties) {
		return refuse(codeDeleteServing, "serving not found")
	}
	w.removeServing(sv)
	return done()
}

// removeServing forgets the serving at once; its Deployments and Services stay
// for a while, and are then removed by name, whoever has the name by then.
func (w *Servings) removeServing(sv *serving) {
	delete(w.byID, sv.id)
	w.cleaning[sv.id] = w.After(w.Timing.Cleanup, func() { w.cleanUp(sv.id) })
}
