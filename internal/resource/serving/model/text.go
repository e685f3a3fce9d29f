package model

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
)

// Text returns a text that is unique to the state.
func (m Serving) Text() string {
	var b strings.Builder
	for _, value := range []attr.Value{
		m.ID, m.ServingID, m.Initiator, m.ServingInputConfig, m.ServingInputConfigVersion, m.AffinityMode, m.RedeployTriggers, m.ReplaceTriggers,
		m.WaitForRollout, m.ProgressDeadline, m.RolloutComplete, m.CreateTime, m.Endpoints, m.Timeouts, m.Parties.Encode(),
	} {
		b.WriteString(value.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Equal reports whether two private states are stored identically.
func (d Private) Equal(other Private) bool {
	a, errA := json.Marshal(d)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
