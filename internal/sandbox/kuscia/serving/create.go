package serving

import (
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

func createServing(w *Servings, s *server.Node, from server.Caller, request *kuscia.CreateServingRequest) server.Response {
	if message := w.checkCreateServing(request); message != "" {
		return server.Refuse(server.CodeValidate, message)
	}
	if !isParty(from, partySpecs(request.Parties)) {
		return server.Refuse(server.CodeAuthFailed, "domain's kuscia api could only handle the serving that the domain as a participant in the serving")
	}
	if w.Version.Has(versions.ServingExistsCheck) {
		if err := w.idTaken(request); err != nil {
			return server.Refuse(CodeCreateServing, err.Error())
		}
	}
	spec, err := w.buildSpec(request)
	if err != nil {
		return server.Refuse(w.invalidRequestCode(CodeCreateServing), err.Error())
	}
	if message := server.CheckSize(len(request.ServingInputConfig)); message != "" {
		return server.Refuse(CodeCreateServing, message)
	}
	s.PauseBeforeWrite()
	if err := w.table.Create(newKusciaDeployment(w.namespace(), request.ServingID, spec)); err != nil {
		return server.Refuse(CodeCreateServing, err.Error())
	}
	w.memory.lag(request.ServingID, from)
	return server.Done()
}

// invalidRequestCode is the code for errors in strategy and resources: that of the
// operation, or of a validation error.
func (w *Servings) invalidRequestCode(code int32) int32 {
	if w.Version.Has(versions.ServingErrorCodes) {
		return code
	}
	return server.CodeValidate
}

// isParty reports whether the caller may see the serving.
func isParty(c server.Caller, parties []PartySpec) bool {
	if c.Domain == "" {
		return true
	}
	for _, party := range parties {
		if party.DomainID == c.Domain {
			return true
		}
	}
	return false
}

func partySpecs(parties []kuscia.ServingParty) []PartySpec {
	specs := make([]PartySpec, len(parties))
	for i, party := range parties {
		specs[i] = PartySpec{DomainID: party.DomainID, Role: party.Role}
	}
	return specs
}

// checkCreateServing returns the first validation error of the request, in the
// server's order.
func (w *Servings) checkCreateServing(request *kuscia.CreateServingRequest) string {
	if request.ServingID == "" {
		return "serving id can not be empty"
	}
	if w.Version.Has(versions.ServingIDCheck) {
		if message := server.CheckName(w.Version, request.ServingID, "serving_id"); message != "" {
			return message
		}
	}
	if request.ServingInputConfig == "" && !w.Version.Has(versions.OptionalServingConfig) {
		return "serving input config can not be empty"
	}
	switch {
	case request.Initiator == "":
		return "initiator can not be empty"
	case w.Autonomy != "" && request.Initiator != w.Autonomy:
		return fmt.Sprintf("initiator must be %s in P2P", w.Autonomy)
	case len(request.Parties) == 0:
		return "parties can not be empty"
	}
	found := false
	for i, party := range request.Parties {
		if message := w.checkParty(party, i); message != "" {
			return message
		}
		found = found || party.DomainID == request.Initiator
	}
	if !found && !w.Version.Has(versions.ServingErrorTexts) {
		return "initiator should be one of the parties"
	}
	if !found {
		return fmt.Sprintf("initiator %s should be one of the parties", request.Initiator)
	}
	return ""
}

// prefixPattern is the pattern for prefixes, which error texts contain.
const prefixPattern = `^[a-z]([-a-z0-9]{0,46}[a-z0-9])?$`

var prefixRule = regexp.MustCompile(prefixPattern)

func checkPrefix(prefix string) string {
	if prefixRule.MatchString(prefix) {
		return ""
	}
	return fmt.Sprintf("field %q is invalid, invalid value: %q: regex used for validation is %q ", "service_name_prefix", prefix, prefixPattern)
}

func (w *Servings) checkParty(party kuscia.ServingParty, index int) string {
	verb := "can't"
	if !w.Version.Has(versions.ServingErrorTexts) {
		verb = "can not"
	}
	switch {
	case party.AppImage == "":
		return fmt.Sprintf("appimage %s be empty in parties[%d]", verb, index)
	case party.DomainID == "":
		return fmt.Sprintf("domain id %s be empty in parties[%d]", verb, index)
	}
	if party.ServiceNamePrefix != "" && w.Version.Has(versions.ServiceNamePrefix) {
		if message := checkPrefix(party.ServiceNamePrefix); message != "" {
			return fmt.Sprintf("service name prefix is invalid in parties[%d], %s", index, message)
		}
	}
	return ""
}

// idTaken looks for the serving itself and for Deployments that an earlier one
// with the same id left behind.
func (w *Servings) idTaken(request *kuscia.CreateServingRequest) error {
	name := objects.CrossDomain + "/" + request.ServingID
	if w.get(request.ServingID) != nil {
		return fmt.Errorf("serving %q already exists, please ensure that the name is not duplicated", name)
	}
	for _, party := range request.Parties {
		if w.deployment(party.DomainID, request.ServingID) != nil {
			return fmt.Errorf("k8s deployment %q of sub resources for serving already exists, please ensure that the name is not duplicated", name)
		}
	}
	return nil
}

func (w *Servings) buildSpec(request *kuscia.CreateServingRequest) (Spec, error) {
	spec := Spec{
		Initiator:   request.Initiator,
		InputConfig: request.ServingInputConfig,
		Parties:     make([]PartySpec, len(request.Parties)),
	}
	if w.Version.Has(versions.AffinityMode) {
		spec.AffinityMode = request.AffinityMode
	}
	for i, party := range request.Parties {
		strategy, err := buildStrategy(party)
		if err != nil {
			return spec, err
		}
		containers, err := w.buildContainers(party)
		if err != nil {
			return spec, err
		}
		spec.Parties[i] = PartySpec{
			DomainID: party.DomainID, Role: party.Role, AppImage: party.AppImage,
			Replicas: party.Replicas, Strategy: strategy, Containers: containers,
		}
		if w.Version.Has(versions.ServiceNamePrefix) {
			spec.Parties[i].ServiceNamePrefix = party.ServiceNamePrefix
		}
	}
	return spec, nil
}

// buildStrategy sets missing fields to their defaults. The limits are stored
// unchecked: invalid ones only fail when the Deployment is created.
func buildStrategy(party kuscia.ServingParty) (kuscia.UpdateStrategy, error) {
	strategy := kuscia.UpdateStrategy{
		Type:           kuscia.StrategyRollingUpdate,
		MaxSurge:       kuscia.DefaultMaxSurge,
		MaxUnavailable: kuscia.DefaultMaxUnavailable,
	}
	given := party.UpdateStrategy
	if given == nil {
		return strategy, nil
	}
	switch given.Type {
	case kuscia.StrategyRecreate:
		return kuscia.UpdateStrategy{Type: kuscia.StrategyRecreate}, nil
	case kuscia.StrategyRollingUpdate:
	default:
		return strategy, fmt.Errorf("update strategy type should be %s or %s for party/role %s/%s",
			kuscia.StrategyRecreate, kuscia.StrategyRollingUpdate, party.DomainID, party.Role)
	}
	if given.MaxSurge != "" {
		strategy.MaxSurge = storedLimit(given.MaxSurge)
	}
	if given.MaxUnavailable != "" {
		strategy.MaxUnavailable = storedLimit(given.MaxUnavailable)
	}
	return strategy, nil
}

// storedLimit is a number or percentage as it is stored: numbers become
// canonical (01 is 1), other text is unchanged.
func storedLimit(text string) string {
	limit := intstr.Parse(text)
	return limit.String()
}
