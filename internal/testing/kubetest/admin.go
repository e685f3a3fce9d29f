package kubetest

import (
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/proxy"
)

// Control are the settings of a controller that can be changed while it runs.
type Control struct {
	// Stopped pauses a controller. It processes the pending changes after it is
	// resumed.
	Stopped *bool `json:"stopped,omitempty"`
	// Lag delays the processing of changes.
	Lag *metav1.Duration `json:"lag,omitempty"`
}

// adminRoutes are additional to those of package proxy: controllers/{name},
// with a Control for kubernetes, kuscia or kruise, and time, with the factor of
// all durations.
func (s *Server) adminRoutes() {
	s.proxy.HandleAdmin("PUT "+proxy.AdminPath+"controllers/{name}", func(_ http.ResponseWriter, r *http.Request) error {
		var desired Control
		if err := json.NewDecoder(r.Body).Decode(&desired); err != nil {
			return err
		}
		return s.Control(r.PathValue("name"), desired)
	})
	s.proxy.HandleAdmin("PUT "+proxy.AdminPath+"time", func(_ http.ResponseWriter, r *http.Request) error {
		var desired struct {
			Factor float64 `json:"factor"`
		}
		err := json.NewDecoder(r.Body).Decode(&desired)
		if err == nil {
			s.SetTimeFactor(desired.Factor)
		}
		return err
	})
}

// Control changes the settings of a controller. Stopping kruise also stops its
// webhook.
func (s *Server) Control(name string, desired Control) error {
	loops := s.loops[name]
	if len(loops) == 0 {
		return fmt.Errorf("there is no controller %q", name)
	}
	if desired.Stopped != nil && name == "kruise" {
		s.webhook.SetDown(*desired.Stopped)
		s.kubernetes.SetAdvanced(!*desired.Stopped && s.gates[kruise.GateAdvancedDeployment])
	}
	for _, loop := range loops {
		if desired.Lag != nil {
			loop.SetLag(desired.Lag.Duration)
		}
		switch {
		case desired.Stopped == nil:
		case *desired.Stopped:
			loop.Stop()
		default:
			loop.Start()
		}
	}
	return nil
}
