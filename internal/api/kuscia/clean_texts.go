package kuscia

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
)

// Texts of a status are shown to users, so they are cleaned when they are
// decoded. Cleaned fields have the tag text:"shown".

// shown is a response whose texts are cleaned when it is decoded. The masker is
// created only for a text that needs it.
type shown interface {
	clean(c *Client, masker func() httpapi.Masker)
}

// identifier matches names and states. Such a text may also occur in a
// configuration, and is compared with it: if it were masked, a serving would
// never match its configuration.
var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._:/+-]{0,251}[A-Za-z0-9])?$`)
})

// name cleans a text that is compared; only the token is masked.
func (c *Client) name(masker func() httpapi.Masker) func(string) string {
	return func(text string) string {
		if text == "" || identifier().MatchString(text) && (c.config.Token == "" || !strings.Contains(text, c.config.Token)) {
			return text
		}
		return masker().Text(text)
	}
}

// message cleans a text that is only shown.
func message(masker func() httpapi.Masker) func(string) string {
	return func(text string) string {
		if text == "" {
			return text
		}
		return masker().Text(text)
	}
}

// checkCertificates refuses certificates with characters that none has. They become values of the
// state as they are, and the CLI prints values of several lines raw.
func checkCertificates(texts ...string) error {
	for _, text := range texts {
		if text = strings.ReplaceAll(text, "\r\n", "\n"); printable.Clean(text) != text {
			return errors.New("the response has a certificate with characters that no certificate has")
		}
	}
	return nil
}

func (s *Serving) clean(c *Client, masker func() httpapi.Masker) {
	if s.Status != nil {
		own := sync.OnceValue(func() httpapi.Masker { return masker().With(s.ServingInputConfig) })
		s.Status.cleanTexts(message(own), c.name(own))
	}
}

// servingStatuses is the data of a batch status response.
type servingStatuses struct {
	Servings []ServingStatus `json:"servings"`
}

func (s *servingStatuses) clean(c *Client, masker func() httpapi.Masker) {
	for i := range s.Servings {
		if status := s.Servings[i].Status; status != nil {
			status.cleanTexts(message(masker), c.name(masker))
		}
	}
}

func (s *ServingStatusDetail) cleanTexts(text, name func(string) string) {
	s.State, s.Reason, s.Message, s.CreateTime = name(s.State), text(s.Reason), text(s.Message), name(s.CreateTime)
	for i := range s.PartyStatuses {
		p := &s.PartyStatuses[i]
		p.DomainID, p.Role, p.State, p.CreateTime = name(p.DomainID), name(p.Role), name(p.State), name(p.CreateTime)
		for j := range p.Endpoints {
			e := &p.Endpoints[j]
			e.PortName, e.Scope, e.Endpoint = name(e.PortName), name(e.Scope), name(e.Endpoint)
		}
		p.State = p.observedState()
	}
	s.State = ObservedState(s.State, s.PartyStatuses)
}

// StatusFor masks the additional secrets of a context (WithMaskedText) in a status.
// known reports whether a party belongs to the serving; the names of other
// parties are masked like texts.
func StatusFor(ctx context.Context, status *ServingStatusDetail, known func(domainID, role string) bool) *ServingStatusDetail {
	if status == nil || !httpapi.HasMaskedTexts(ctx) {
		return status
	}
	masker := sync.OnceValue(func() httpapi.Masker { return httpapi.MaskerOf(ctx) })
	text := message(masker)
	out := *status
	out.Reason, out.Message = text(status.Reason), text(status.Message)
	switch status.State {
	case StateProgressing, StatePartialAvailable, StateAvailable, StateFailed:
	default:
		out.State = text(status.State)
	}
	out.PartyStatuses = append([]PartyStatus(nil), status.PartyStatuses...)
	for i := range out.PartyStatuses {
		if p := &out.PartyStatuses[i]; !known(p.DomainID, p.Role) {
			p.DomainID, p.Role = text(p.DomainID), text(p.Role)
		}
	}
	return &out
}
