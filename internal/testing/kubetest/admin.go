package kubetest

import (
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/front"
)

// Control is what can be changed about a controller while it runs.
type Control struct {
	// Stopped controllers do nothing, and make up for it when started again.
	Stopped *bool `json:"stopped,omitempty"`
	// Lag is how long a change is not looked at.
	Lag *metav1.Duration `json:"lag,omitempty"`
}

// adminRoutes are, beside those of package front:
//
//	PUT /kubetest/controllers/{name}   a Control for kubernetes, kuscia or kruise
//	PUT /kubetest/time                 {"factor": 0.1}
func (s *Server) adminRoutes() {
	s.front.HandleAdmin("PUT "+front.AdminPath+"controllers/{name}", func(_ http.ResponseWriter, r *http.Request) error {
		var wanted Control
		if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
			return err
		}
		return s.Control(r.PathValue("name"), wanted)
	})
	s.front.HandleAdmin("PUT "+front.AdminPath+"time", func(_ http.ResponseWriter, r *http.Request) error {
		var wanted struct {
			Factor float64 `json:"factor"`
		}
		err := json.NewDecoder(r.Body).Decode(&wanted)
		if err == nil {
			s.clock.Set(wanted.Factor)
		}
		return err
	})
}

// Control changes a controller.
func (s *Server) Control(name string, wanted Control) error {
	loop := s.loops[name]
	if loop == nil {
		return fmt.Errorf("there is no controller %q", name)
	}
	if wanted.Lag != nil {
		loop.SetLag(wanted.Lag.Duration)
	}
	if wanted.Stopped == nil {
		return nil
	}
	if *wanted.Stopped {
		loop.Stop()
	} else {
		loop.Start()
	}
	return nil
}
