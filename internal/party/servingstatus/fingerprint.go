package servingstatus

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// fingerprint is equal for two statuses with the same content, in any order of
// their parties.
func fingerprint(status *kuscia.ServingStatusDetail) string {
	if status == nil {
		return ""
	}
	return fmt.Sprintf("%q %q", status.State, status.Reason) + counts(status)
}

// counts is equal for two statuses with the same parties and replica counts, in any
// order of their parties.
func counts(status *kuscia.ServingStatusDetail) (text string) {
	if status == nil {
		return ""
	}
	for _, party := range sortedParties(status) {
		text += fmt.Sprintf(" %q %q %v", party.DomainID, party.Role, numbersOf(party))
	}
	return text
}
