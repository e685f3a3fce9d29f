package fastpath

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// respondedKey is the key in the planned private state of a create under which the plan tells the
// apply, which is another process, the servers that have responded to it. The framework drops the
// planned private state of a create, so that it is in no state.
const respondedKey = "responded"

// recordResponded adds the servers that have responded to the plan of a create.
func (s *server) recordResponded(req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse) {
	if s.options.Responded == nil || resp == nil || present(req.PriorState) {
		return
	}
	servers := s.options.Responded()
	private, ok := decodePrivate(resp.PlannedPrivate)
	value, err := json.Marshal(servers)
	if len(servers) == 0 || !ok || err != nil {
		return
	}
	if private == nil {
		private = map[string][]byte{}
	}
	private[respondedKey] = value
	if encoded, err := json.Marshal(private); err == nil {
		resp.PlannedPrivate = encoded
	}
}

// expectResponses announces the servers that have responded to the plan. The plan of a change
// or of a delete has read the object.
func (s *server) expectResponses(req *tfprotov6.ApplyResourceChangeRequest) {
	if s.options.ExpectResponses == nil {
		return
	}
	if present(req.PriorState) {
		s.options.ExpectResponses(nil)
		return
	}
	var servers []string
	if private, ok := decodePrivate(req.PlannedPrivate); ok && json.Unmarshal(private[respondedKey], &servers) == nil && len(servers) > 0 {
		s.options.ExpectResponses(servers)
	}
}
