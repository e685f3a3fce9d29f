package rollout

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// fakeCluster serves a list of Rollouts, and no other object.
func fakeCluster(t *testing.T, rollouts string) *clients.Clients {
	t.Helper()
	const group = "/apis/rollouts.kruise.io/v1beta1"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, status := `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"details":{"name":"`+path.Base(r.URL.Path)+`"}}`, http.StatusNotFound
		switch {
		case r.URL.Path == group:
			body, status = `{"kind":"APIResourceList","resources":[{"name":"rollouts"}]}`, http.StatusOK
		case strings.HasSuffix(r.URL.Path, "/rollouts"):
			body, status = `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"RolloutList","metadata":{"resourceVersion":"1"},"items":[`+rollouts+`]}`, http.StatusOK
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	client, err := kube.New(kube.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	c := clients.WithoutKuscia("")
	c.Kubernetes.Open = func() (*kube.Client, error) { return client, nil }
	return c
}

// named is a Rollout for the workload "w".
func named(name string) *object {
	return &object{Rollout: kruise.Rollout{
		Metadata: kruise.Metadata{Namespace: "alice", Name: name}, Spec: kruise.RolloutSpec{WorkloadRef: kruise.ObjectRef{APIVersion: "apps/v1", Kind: "Deployment", Name: "w"}},
	}}
}

// TestTwoRolloutsAtOnce: the webhook may accept Rollouts for one workload that are created at
// the same time. The wait for one of them names the other one, unless that is being deleted.
func TestTwoRolloutsAtOnce(t *testing.T) {
	t.Parallel()
	rollout := func(metadata, workload string) string {
		return `{"apiVersion":"rollouts.kruise.io/v1beta1","kind":"Rollout","metadata":{"namespace":"alice",` + metadata + `},"spec":{"workloadRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"` + workload + `"}}}`
	}
	own, leaves, unrelated := rollout(`"name":"a"`, "w"), rollout(`"name":"b","deletionTimestamp":"2026-01-01T00:00:00Z"`, "w"), rollout(`"name":"c"`, "x")
	all := strings.Join([]string{own, leaves, unrelated}, ",")
	for rollouts, want := range map[string]string{all: "", all + "," + rollout(`"name":"d"`, "w"): `Rollout "alice/d" refers to the same workload`} {
		client, _ := fakeCluster(t, rollouts).OpenKubernetes()
		o := named("a")
		o.other = otherRollout(t.Context(), client, o)
		if said := whyNeverSettled(o); !strings.Contains(said, want) || (said == "") != (want == "") {
			t.Errorf("the wait says %q, want %q", said, want)
		}
	}
}

// TestDisableOfMissingRollout: one that does not exist any more holds no Deployment, so that the
// update is sent, whose error says it.
func TestDisableOfMissingRollout(t *testing.T) {
	t.Parallel()
	sent := false
	err := disable(t.Context(), fakeCluster(t, ""), named("r"), func() error {
		sent = true
		return apierror.ErrNotFound
	})
	if !sent || !errors.Is(err, apierror.ErrNotFound) {
		t.Errorf("sent %t: %v", sent, err)
	}
}
