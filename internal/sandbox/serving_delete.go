package sandbox

func (s *Sandbox) deleteServing(from caller, request *DeleteServingRequest) answer {
	w := s.world
	defer w.enter()()
	if request.ServingID == "" {
		return refuse(codeValidate, "serving id can not be empty")
	}
	sv := w.servings[request.ServingID]
	if sv == nil {
		return refuse(codeDeleteServing, lookupError(kindServings, request.ServingID))
	}
	if !from.takesPart(sv.spec.Parties) {
		return refuse(codeDeleteServing, "serving not found")
	}
	w.removeServing(sv)
	return done()
}

// removeServing forgets the serving at once; its Deployments and Services stay
// for a while, and are then removed by name, whoever has the name by then.
func (w *world) removeServing(sv *serving) {
	delete(w.servings, sv.id)
	w.cleaning[sv.id] = w.after(w.timing.Cleanup, func() { w.cleanUp(sv.id) })
}
