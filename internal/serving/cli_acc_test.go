package serving_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/kusciaapi"
)

// workspace is a directory with a configuration for the CLI, for what the test
// framework has no word for: modules, warnings, generated configuration.
type workspace struct {
	t   *testing.T
	cli string
	dir string
	env []string
}

// newWorkspace serves the provider for a test's Kuscia to a CLI.
func newWorkspace(t *testing.T, e *acctest.Env) *workspace {
	t.Helper()
	const name = "registry.terraform.io/hashicorp/kuscia"
	ctx, cancel := context.WithCancel(context.Background())
	served, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(name, func() tfprotov6.ProviderServer {
			server, err := e.ProtoV6ProviderFactories()["kuscia"]()
			if err != nil {
				panic(err) // the signature leaves no other way
			}
			return server
		}, tf6server.WithDebug(ctx, served, closed), tf6server.WithoutLogStderrOverride())
	}()
	var reattach *plugin.ReattachConfig
	select {
	case reattach = <-served:
	case err := <-failed:
		cancel()
		t.Fatalf("serving the provider: %v", err)
	}
	t.Cleanup(func() {
		cancel()
		<-closed
	})
	config := map[string]any{
		"Protocol": "grpc", "ProtocolVersion": 6, "Pid": os.Getpid(), "Test": true,
		"Addr": map[string]string{"Network": reattach.Addr.Network(), "String": reattach.Addr.String()},
	}
	text, err := json.Marshal(map[string]any{name: config, "registry.opentofu.org/hashicorp/kuscia": config})
	if err != nil {
		t.Fatal(err)
	}
	return &workspace{
		t: t, cli: acctest.CLI(t), dir: t.TempDir(),
		env: append(os.Environ(), "TF_REATTACH_PROVIDERS="+string(text), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1"),
	}
}

// write makes a file, or removes it when there is no content.
func (w *workspace) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if content == "" {
		if err := os.Remove(path); err != nil {
			w.t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// try runs the CLI and returns its output and exit code.
func (w *workspace) try(arguments ...string) (output string, code int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, w.cli, arguments...)
	command.Dir, command.Env = w.dir, w.env
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatalf("%s %v: %v", w.cli, arguments, err)
	}
	return out.String(), command.ProcessState.ExitCode()
}

// run runs the CLI, which has to end with a code.
func (w *workspace) run(code int, arguments ...string) string {
	w.t.Helper()
	output, got := w.try(append(arguments, "-no-color")...)
	if got != code {
		w.t.Fatalf("%v ends with %d, want %d:\n%s", arguments, got, code, output)
	}
	return output
}

// apply applies what is in the workspace.
func (w *workspace) apply() { w.run(0, "apply", "-auto-approve", "-input=false") }

// The exit codes of plan -detailed-exitcode.
const (
	nothing = 0
	differs = 2
)

// plan checks whether there is something to do, and returns the plan.
func (w *workspace) plan(code int) string {
	w.t.Helper()
	return w.run(code, "plan", "-detailed-exitcode", "-input=false")
}

// destroyAtEnd destroys what the test leaves.
func (w *workspace) destroyAtEnd() {
	w.t.Cleanup(func() { w.run(0, "destroy", "-auto-approve", "-input=false") })
}

// oneLine is an output without line breaks.
func oneLine(output string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(output)), " ")
}

// TestAccServing_module: a module with an app image and its servings, whose
// ids, domains and images come from outside and from other resources.
func TestAccServing_module(t *testing.T) {
	e := newEnv(t)
	w := newWorkspace(t, e)
	content, err := os.ReadFile("testdata/module.tf")
	if err != nil {
		t.Fatal(err)
	}
	base := e.Name("module")
	w.write("serving/main.tf", string(content))
	main := func(replicas int) string {
		return fmt.Sprintf(`
resource "terraform_data" "team" {
  input = %[1]q
}

module "servings" {
  source   = "./serving"
  for_each = { glm = ["alice", "bob"], sgb = ["bob"] }
  name     = "${terraform_data.team.output}-${each.key}"
  domains  = each.value
  replicas = %[2]d
}

output "endpoints" {
  value = { for name, module in module.servings : name => module.endpoints }
}
`, base, replicas)
	}
	w.write("main.tf", main(1))
	w.run(0, "init", "-input=false")
	w.destroyAtEnd()
	w.apply()
	w.plan(nothing)
	w.write("main.tf", main(2))
	if plan := w.plan(differs); !strings.Contains(plan, "0 to add, 2 to change, 0 to destroy") {
		t.Errorf("two servings are updated in place:\n%s", plan)
	}
	w.apply()
	w.plan(nothing)
}

// TestAccServing_generatedConfig: import blocks alone; the CLI writes the
// configuration, which is valid and plans nothing but the imports.
func TestAccServing_generatedConfig(t *testing.T) {
	e := newEnv(t)
	w := newWorkspace(t, e)
	image := e.AppImage(func(i *kusciaapi.AppImage) {
		i.DeployTemplates[0].Replicas = 2
		i.DeployTemplates[0].Containers[0].Resources = &kusciaapi.ResourceRequirements{Limits: &kusciaapi.ResourceSpec{CPU: "4"}}
	})
	one := int32(1)
	requests := map[string]*kusciaapi.CreateServingRequest{
		"minimal": {Initiator: "alice", Parties: []kusciaapi.ServingParty{{DomainID: "alice", AppImage: image}}},
		"full": {
			Initiator: "bob", ServingInputConfig: `{"secret": "s3cr3t-0123456789"}`, AffinityMode: "none",
			Parties: []kusciaapi.ServingParty{
				{DomainID: "bob", Role: "client", AppImage: image, Replicas: &one, ServiceNamePrefix: e.Name("prefix"),
					UpdateStrategy: &kusciaapi.UpdateStrategy{Type: "Recreate"}, Resources: []kusciaapi.Resource{{MinCPU: "0.5", MaxMemory: "1024Mi"}}},
				{DomainID: "alice", Role: "server", AppImage: image, UpdateStrategy: &kusciaapi.UpdateStrategy{Type: "RollingUpdate", MaxSurge: "2"}},
			},
		},
	}
	imports := ""
	for label, request := range requests {
		request.ServingID = e.Name(label)
		handmade(t, e, request)
		imports += fmt.Sprintf("import {\n  to = kuscia_serving.%s\n  id = %q\n}\n", label, request.ServingID)
	}
	w.write("main.tf", imports)
	w.run(0, "init", "-input=false")
	w.destroyAtEnd()
	plan := w.run(0, "plan", "-input=false", "-generate-config-out=generated.tf")
	if !strings.Contains(plan, "2 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the generated configuration changes something:\n%s", plan)
	}
	generated, err := os.ReadFile(filepath.Join(w.dir, "generated.tf"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plan+string(generated), "s3cr3t") {
		t.Error("the configuration text is shown")
	}
	w.run(0, "validate")
	w.apply()
	w.write("main.tf", "")
	w.plan(nothing)

	// It goes on as any other: the text that it leaves out stays.
	edited := regexp.MustCompile(`replicas( +)= 1`).ReplaceAllString(string(generated), "replicas${1}= 3")
	w.write("generated.tf", edited)
	if plan := w.plan(differs); !strings.Contains(plan, "0 to add, 1 to change, 0 to destroy") {
		t.Errorf("one serving is updated in place:\n%s", plan)
	}
	w.apply()
	w.plan(nothing)
	answer, err := e.API.QueryServing(context.Background(), requests["full"].ServingID)
	if err != nil || answer.ServingInputConfig != requests["full"].ServingInputConfig || *answer.Parties[0].Replicas != 3 {
		t.Errorf("%+v, %v", answer, err)
	}

	// A replacement cannot take over what is written nowhere.
	w.write("generated.tf", strings.ReplaceAll(edited, `"anti-affinity"`, `"affinity"`))
	text, _ := w.try("plan", "-json", "-input=false")
	expectWarning(t, text, "kuscia_serving.full", "The new serving gets no configuration text")
}

// TestAccServing_warnings: a replacement that the attribute itself does not
// explain comes with the reason, and a serving that cannot be read with what
// to do.
func TestAccServing_warnings(t *testing.T) {
	e := newEnv(t)
	w := newWorkspace(t, e)
	image, lost := e.AppImage(), e.AppImage()
	bob := partyHCL{domain: `"bob"`, image: quote(image)}
	cases := map[string]struct {
		before, after func(*servingHCL)
		message       string
	}{
		"config": {
			func(s *servingHCL) { s.config = `"{}"` }, nil,
			`serving_input_config.*it can only be cleared by a new serving\. Set another text, for example "{}", to change it in place`,
		},
		"parties": {
			nil, func(s *servingHCL) { s.parties = append(s.parties, bob) },
			`Kuscia can neither add nor remove a party`,
		},
		"prefix": {
			nil, func(s *servingHCL) { s.parties[0].prefix = quote(e.Name("prefix")) },
			`silently ignores a new service_name_prefix`,
		},
		"cleared": {
			func(s *servingHCL) { s.parties[0].resources = full },
			func(s *servingHCL) {
				s.parties[0].resources = `[{ min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi" }]`
			},
			`parties\[0\]\.resources: container "secretflow": max_memory is taken away, and Kuscia merges .* Keep a value to change it in place`,
		},
		"first": {
			func(s *servingHCL) { s.parties[0].resources = `[{ min_cpu = "0.5" }]` },
			func(s *servingHCL) { s.parties[0].resources = `[{ min_cpu = "0.5", max_cpu = "2" }]` },
			`max_cpu would be its first limit .* Kuscia's handler crashes`,
		},
	}
	orphan := alone(e, "orphan", lost)
	before, after := []servingHCL{orphan}, []servingHCL{orphan}
	for label, c := range cases {
		base := alone(e, label, image)
		before, after = append(before, base.with(c.before)), append(after, base.with(c.after))
	}
	w.write("main.tf", join(before))
	w.run(0, "init", "-input=false")
	w.destroyAtEnd()
	w.apply()
	e.Do(func(ctx context.Context, api *kusciaapi.Client) error { return api.DeleteAppImage(ctx, lost) })()
	w.write("main.tf", join(after))
	plan := w.plan(differs)
	if want := fmt.Sprintf("%d to add, 0 to change, %d to destroy", len(cases), len(cases)); !strings.Contains(plan, want) {
		t.Errorf("no %q in\n%s", want, plan)
	}
	// Warnings of one summary are put together by the CLI unless it prints JSON.
	text, _ := w.try("plan", "-json", "-input=false")
	for label, c := range cases {
		expectWarning(t, text, "kuscia_serving."+label, c.message+`.* The serving will be deleted and created again\.`)
	}
	expectWarning(t, text, "kuscia_serving.orphan", `an app image it uses is gone\. Its state stays as it was\. Create the app image again, or change app_image`)
}

// expectWarning finds a warning of a resource in the lines of JSON that the CLI
// prints.
func expectWarning(t *testing.T, lines, address, message string) {
	t.Helper()
	pattern := regexp.MustCompile(message)
	var found []string
	for line := range strings.Lines(lines) {
		var event struct {
			Diagnostic struct{ Severity, Summary, Detail, Address string }
		}
		if json.Unmarshal([]byte(line), &event) != nil || event.Diagnostic.Severity != "warning" || event.Diagnostic.Address != address {
			continue
		}
		text := oneLine(event.Diagnostic.Summary + ": " + event.Diagnostic.Detail)
		if pattern.MatchString(text) {
			return
		}
		found = append(found, text)
	}
	t.Errorf("%s has no warning %q but %q", address, message, found)
}
