package examplestest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
)

// predictionGateway stands for the gateway of alice's node. It takes the requests for which the
// documentation of SecretFlow-Serving and of Kuscia has the form, and their headers.
type predictionGateway struct {
	t *testing.T
	// code is that of predictions; 1 is success.
	code atomic.Int64
	// predictions and scrapes count the requests.
	predictions, scrapes atomic.Int64
}

// start returns the address.
func (g *predictionGateway) start() string {
	mux := http.NewServeMux()
	mux.HandleFunc("POST credit-service.alice.svc/PredictionService/Predict", g.predict)
	mux.HandleFunc("GET credit-internal.alice.svc/metrics", func(w http.ResponseWriter, _ *http.Request) {
		g.scrapes.Add(1)
		_, _ = io.WriteString(w, "# TYPE prediction_request_count counter\n")
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if source := r.Header.Get("Kuscia-Source"); source != "alice" {
			g.t.Errorf("%s %s%s: Kuscia-Source is %q", r.Method, r.Host, r.URL.Path, source)
		}
		mux.ServeHTTP(w, r)
	}))
	g.t.Cleanup(server.Close)
	return server.URL
}

// predict answers with one result per row, or with a code.
func (g *predictionGateway) predict(w http.ResponseWriter, r *http.Request) {
	g.predictions.Add(1)
	var request struct {
		Spec struct {
			ID string `json:"id"`
		} `json:"service_spec"`
		Params map[string]struct {
			Rows []string `json:"query_datas"`
		} `json:"fs_params"`
	}
	err := json.NewDecoder(r.Body).Decode(&request)
	if err != nil || request.Spec.ID != "credit" || len(request.Params["alice"].Rows) != len(request.Params["bob"].Rows) {
		g.t.Errorf("the request is %+v (%v)", request, err)
	}
	type object = map[string]any
	response := object{"header": object{"data": object{}}, "status": object{"code": g.code.Load(), "msg": ""}, "service_spec": object{"id": request.Spec.ID}}
	if g.code.Load() == 1 {
		results := []object{}
		for range request.Params["alice"].Rows {
			results = append(results, object{"scores": []object{{"name": "score", "value": 0.5}}})
		}
		response["results"] = results
	}
	if err := json.NewEncoder(w).Encode(response); err != nil {
		g.t.Error(err)
	}
}

// TestAccPrediction: with a gateway, the example asks for a prediction and for metrics, and warns
// where there are none.
func TestAccPrediction(t *testing.T) {
	short.LeaveOut(t, "eight starts of the CLI for a module that nothing of the provider changes")
	t.Parallel()
	acctest.RequireWriteOnly(t)
	l := readList(t)
	p, _ := l.start(t, l.examples["secretflow-serving"])
	g := &predictionGateway{t: t}
	g.code.Store(1)
	p.shell(t, 0, "terraform init")
	apply := "terraform apply -var-file=sandbox.tfvars -var gateway=" + g.start()
	// Terraform asks again in every apply, so a plan is never empty (exit code 2).
	if output := p.step(t, step{command: apply, plan: 2}); g.predictions.Load() == 0 || g.scrapes.Load() == 0 {
		t.Errorf("%d predictions, %d requests for metrics:\n%s", g.predictions.Load(), g.scrapes.Load(), output)
	}
	g.code.Store(5)
	expectIn(t, p.step(t, step{command: apply, plan: 2}), "Warning: Check block assertion failed", "No prediction, status 200: ", `"code":5`)
	expectIn(t, p.step(t, step{command: "terraform apply -var-file=sandbox.tfvars -var gateway=http://127.0.0.1:1", plan: 2}), "Warning: ", "connection refused")
	p.shell(t, 0, "terraform destroy -var-file=sandbox.tfvars")
}
