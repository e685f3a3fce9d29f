package servertext

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"
	"servertext/internal/api/httpapi"
	"servertext/internal/api/kuscia"
	"servertext/internal/message"
)

func good(s *kuscia.Serving, request *kuscia.CreateRequest, config kuscia.Config, m httpapi.Masker, diags *diag.Diagnostics) string {
	initiator := httpapi.Text(s.Initiator)
	_ = fmt.Sprintf("%s %s %s", initiator, httpapi.Text(s.Initiator), m.Text("by "+s.Initiator))
	_ = fmt.Errorf("%s: %d %d %t", s.Status.Reason, s.Replicas, len(s.Initiator), s.Initiator == "alice")
	_ = errors.New(request.ServingID + config.Endpoint)
	diags.AddError("Failed", strings.ToUpper(httpapi.Text(s.Parties[0].DomainID)))
	tflog.Info("here", map[string]any{"reason": s.Status.Reason, "known": s.Initiator != ""})
	return s.Initiator
}

func bad(s *kuscia.Serving, diags *diag.Diagnostics) {
	_ = fmt.Sprintf("%s", s.Initiator)                           // want `Serving.Initiator is a text of a server`
	_ = fmt.Sprintf("%q", s.Parties[0].DomainID)                 // want `Party.DomainID is a text of a server`
	_ = fmt.Errorf("of %s", strings.ToUpper("x"+s.Initiator))    // want `Serving.Initiator is a text of a server`
	_ = errors.New(s.Initiator)                                  // want `Serving.Initiator is a text of a server`
	diags.AddError(s.Initiator, "detail")                        // want `Serving.Initiator is a text of a server`
	tflog.Info("here", map[string]any{"initiator": s.Initiator}) // want `Serving.Initiator is a text of a server`
	message.AddError("Failed", fmt.Errorf("by %s", s.Initiator)) // want `Serving.Initiator is a text of a server`
	_ = fmt.Sprint(s.Status.DomainID)                            // want `Party.DomainID is a text of a server`
	initiator := s.Initiator
	_ = fmt.Sprintf("%s %s", httpapi.Text(initiator), initiator) // want `Serving.Initiator is a text of a server`
	_ = fmt.Sprintf("%s", fmt.Sprint(string(s.Initiator)))       // want `Serving.Initiator is a text of a server`
}
