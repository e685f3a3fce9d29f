package provider_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const redeploy = "kuscia_serving_redeploy"

// failsWith checks that there is one error, which contains some texts and not
// others.
func failsWith(t *testing.T, diags []*tfprotov6.Diagnostic, texts ...string) {
	t.Helper()
	if len(diags) != 1 || diags[0].Severity != tfprotov6.DiagnosticSeverityError {
		t.Fatalf("%d diagnostics", len(diags))
	}
	shown := diags[0].Summary + "\n" + diags[0].Detail
	t.Log(shown)
	protocol.Says(t, "the message", shown, texts...)
}

// TestRedeploy: every party is restarted with the current app image, and
// neither a refresh nor a plan shows a difference.
func TestRedeploy(t *testing.T) {
	t.Parallel()
	r := start(t)
	image, err := r.box.AppImage("app")
	if err != nil {
		t.Fatal(err)
	}
	image.Image.Tag = "2"
	protocol.NoError(t, r.box.PutAppImage(image))
	r.box.ResetRequests()
	progress, diags := r.Invoke(t, redeploy, object{"serving_id": "s"})
	protocol.Check(t, nil, diags)
	if len(progress) < 3 || !strings.Contains(progress[0], "restarting the pods of 2 parties") || !strings.Contains(progress[len(progress)-1], "every party runs") ||
		!slices.ContainsFunc(progress, func(text string) bool { return strings.Contains(text, "alice (role server): ") }) {
		t.Errorf("said %q", progress)
	}
	if n := r.box.Count(acctest.PathServingUpdate); n != 1 {
		t.Errorf("%d updates", n)
	}
	for domain, role := range map[string]string{"alice": "server", "bob": "client"} {
		if deployed, err := r.box.DeployedImage("s", domain, role); err != nil || deployed != "example.com/app:2" {
			t.Errorf("%s runs %s, %v", domain, deployed, err)
		}
	}
	value := protocol.Decode(r.Kind, r.state)
	read, state := r.Read(t, protocol.State{Value: value, Private: r.private})
	planned, _ := r.Plan(t, protocol.Decode(r.Kind, r.config), state)
	protocol.Check(t, nil, append(read.Diagnostics, planned.Diagnostics...))
	if !state.Value.Equal(value) || !protocol.Decode(r.Kind, planned.PlannedState).Equal(value) {
		t.Error("a refresh or a plan shows a difference")
	}
}

// TestRedeployWithANewPort: a port that the app image got meanwhile would block
// the serving permanently.
func TestRedeployWithANewPort(t *testing.T) {
	t.Parallel()
	r := start(t)
	image, err := r.box.AppImage("app")
	if err != nil {
		t.Fatal(err)
	}
	put := func(names ...string) {
		image.DeployTemplates[0].Containers[0].Ports = nil
		for _, name := range names {
			image.DeployTemplates[0].Containers[0].Ports = append(image.DeployTemplates[0].Containers[0].Ports,
				kuscia.ContainerPort{Name: name, Protocol: "HTTP", Scope: "Cluster"})
		}
		protocol.NoError(t, r.box.PutAppImage(image))
	}
	put("http")
	if err := r.box.PutServing(kuscia.CreateServingRequest{
		ServingID: "other", Initiator: "alice", ServingInputConfig: "{}", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "app"}},
	}); err != nil {
		t.Fatal(err)
	}
	_, diags := r.Invoke(t, redeploy, object{"serving_id": "other"})
	protocol.Check(t, nil, diags)
	put("http", "metrics")
	// A provider caches app images for one run.
	configure(t, r.ProviderServer, r.box)
	r.box.ResetRequests()
	_, diags = r.Invoke(t, redeploy, object{"serving_id": "other"})
	failsWith(t, diags, "New port on a live serving", `"metrics"`)
	if n := r.box.Count(acctest.PathServingUpdate); n != 0 {
		t.Errorf("%d updates", n)
	}
}

func TestRedeployRefused(t *testing.T) {
	t.Parallel()
	r := start(t)
	for name, test := range map[string]struct {
		config object
		want   []string
	}{
		"dots":  {object{"serving_id": "a.b"}, []string{"RFC 1123"}},
		"limit": {object{"serving_id": "s", "timeouts": object{"invoke": "soon"}}, []string{`timeouts.invoke: "soon" is not a duration`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := r.Invoke(t, redeploy, test.config)
			failsWith(t, diags, test.want...)
		})
	}
	for text, want := range map[string]string{"plain secret text": "is not JSON", "": "Missing configuration text"} {
		r.box.ResetRequests()
		protocol.NoError(t, r.box.MutateServing("s", func(spec *sandbox.ServingSpec) { spec.InputConfig = text }))
		_, diags := r.Invoke(t, redeploy, object{"serving_id": "s"})
		failsWith(t, diags, want, "Nothing was sent")
		if n := r.box.Count(acctest.PathServingUpdate); n != 0 || strings.Contains(diags[0].Detail, "plain secret text") {
			t.Errorf("%d updates", n)
		}
	}
}

// TestRedeployMasksTheText: if a server repeats the configuration text in its
// message, the error masks it.
func TestRedeployMasksTheText(t *testing.T) {
	t.Parallel()
	r := start(t)
	const secret = "storage-key-of-alice"
	protocol.NoError(t, r.box.MutateServing("s", func(spec *sandbox.ServingSpec) { spec.InputConfig = `{"key": "` + secret + `"}` }))
	r.box.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/update", Code: 11603, Message: "cannot store " + secret + "!", Times: sandbox.Always})
	progress, diags := r.Invoke(t, redeploy, object{"serving_id": "s"})
	failsWith(t, diags, "Unable to redeploy serving", `"s"`, "11603", "cannot store ***!")
	if strings.Contains(strings.Join(progress, "\n")+diags[0].Detail, secret) {
		t.Error("the secret is in the error")
	}
}

// TestRedeployInterrupted: StopProvider, which the CLI sends on an interrupt,
// ends the wait.
func TestRedeployInterrupted(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.box.Inject(sandbox.Fault{Kind: sandbox.FaultTimeout, Path: "serving/status/batchQuery", Times: sandbox.Always})
	time.AfterFunc(300*time.Millisecond, func() { _, _ = r.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{}) })
	began := time.Now()
	_, diags := r.Invoke(t, redeploy, object{"serving_id": "s"})
	failsWith(t, diags, "canceled")
	if time.Since(began) > 10*time.Second {
		t.Errorf("after %s", time.Since(began))
	}
}
