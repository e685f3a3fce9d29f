package serving

import (
	"errors"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

func updateServing(w *Servings, s *server.Node, from server.Caller, request *kuscia.UpdateServingRequest) server.Response {
	if request.ServingID == "" {
		return server.Refuse(server.CodeValidate, "serving id can not be empty")
	}
	if request.ServingInputConfig == "" && len(request.Parties) == 0 {
		return server.Done() // nothing is checked, not even the id
	}
	kd := w.get(request.ServingID)
	if kd == nil {
		return server.Refuse(codeUpdateServing, kind.Missing(request.ServingID).Error())
	}
	spec := specOf(kd)
	if !isParty(from, spec.Parties) {
		return server.Refuse(codeUpdateServing, "serving not found")
	}
	changed := request.ServingInputConfig != "" && request.ServingInputConfig != spec.InputConfig
	if changed {
		spec.InputConfig = request.ServingInputConfig
	}
	for _, party := range request.Parties {
		partyChanged, err := w.updateParty(&spec, party)
		if errors.Is(err, errNilMap) {
			return server.Crash(err.Error())
		}
		if err != nil {
			return server.Refuse(w.invalidRequestCode(codeUpdateServing), err.Error())
		}
		changed = changed || partyChanged
	}
	if !changed {
		return server.Done()
	}
	if message := server.CheckSize(len(spec.InputConfig)); message != "" {
		return server.Refuse(codeUpdateServing, message)
	}
	s.PauseBeforeWrite()
	spec.into(kd)
	if err := w.table.Update(kd); err != nil {
		return server.Refuse(codeUpdateServing, err.Error())
	}
	w.memory.lag(request.ServingID, from)
	return server.Done()
}

func deleteServing(w *Servings, _ *server.Node, from server.Caller, request *DeleteServingRequest) server.Response {
	if request.ServingID == "" {
		return server.Refuse(server.CodeValidate, "serving id can not be empty")
	}
	kd := w.get(request.ServingID)
	if kd == nil {
		return server.Refuse(codeDeleteServing, kind.Missing(request.ServingID).Error())
	}
	if !isParty(from, specOf(kd).Parties) {
		return server.Refuse(codeDeleteServing, "serving not found")
	}
	return server.StoreCodes{}.DoneUnless(codeDeleteServing, w.table.Delete(kd.Namespace, kd.Name))
}

// updateParty merges a party of the request into the first stored party with
// the same domain and role; missing fields are kept.
func (w *Servings) updateParty(spec *Spec, given kuscia.ServingParty) (changed bool, err error) {
	var stored *PartySpec
	for i := range spec.Parties {
		if spec.Parties[i].DomainID == given.DomainID && spec.Parties[i].Role == given.Role {
			stored = &spec.Parties[i]
			break
		}
	}
	if stored == nil {
		return false, fmt.Errorf("party domain_id/role %s/%s does not exist", given.DomainID, given.Role)
	}
	if given.AppImage == "" {
		given.AppImage = stored.AppImage
	}
	if given.AppImage != stored.AppImage {
		if _, err := w.images.Find(given.AppImage); err != nil {
			return false, err
		}
		stored.AppImage = given.AppImage
		changed = true
	}
	if given.Replicas != nil && (stored.Replicas == nil || *stored.Replicas != *given.Replicas) {
		stored.Replicas = given.Replicas
		changed = true
	}
	if given.UpdateStrategy != nil {
		strategy, err := buildStrategy(given)
		if err != nil {
			return false, err
		}
		changed = changed || strategy != stored.Strategy
		stored.Strategy = strategy
	}
	resourcesChanged, err := w.updateResources(stored, given)
	return changed || resourcesChanged, err
}

func (w *Servings) updateResources(stored *PartySpec, given kuscia.ServingParty) (changed bool, err error) {
	if len(given.Resources) == 0 {
		return false, nil
	}
	if len(stored.Containers) > 0 {
		return mergeStored(stored.Containers, given.Resources)
	}
	containers, err := w.buildContainers(given)
	if err != nil || len(containers) == 0 {
		return false, err
	}
	stored.Containers = containers
	return true, nil
}
