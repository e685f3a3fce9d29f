package faulttest_test

import (
	"archive/zip"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// hiding is a configuration for the CLI with ephemeral credentials and a
// serving whose text contains a storage key. form sets the text.
func hiding(endpoint string, cluster *acctest.Kube, form, more attrs, update string) string {
	serving := attrs{
		"serving_id": "one", "initiator": "alice", "timeouts": attrs{"create": "1m", "update": update, "delete": "1m"},
		"parties": attrs{"alice": attrs{"app_image": acctest.Reference("kuscia_app_image.app.name")}},
	}
	maps.Copy(serving, form)
	maps.Copy(serving, more)
	return acctest.RequiredProvider + acctest.Variable("token", attrs{"ephemeral": true}) + acctest.Variable("header", attrs{"ephemeral": true}) +
		acctest.Variable("key", attrs{"ephemeral": form["serving_input_config_wo"] != nil}) +
		acctest.ProviderBlock(attrs{
			"endpoint": endpoint, "token": acctest.Reference("var.token"), "custom_headers": attrs{"tenant": acctest.Reference("var.header")}, "max_retries": 0,
			"kubernetes": attrs{"config_path": cluster.KubeconfigPath()},
		}) +
		acctest.AppImageBlock{Label: "app", Name: "app"}.String() + acctest.Block("kuscia_serving", "one", serving)
}

func hiddenForm(model, version int) attrs {
	return attrs{
		"serving_input_config_wo":         acctest.Reference(fmt.Sprintf("jsonencode({ model = %d, key = var.key })", model)),
		"serving_input_config_wo_version": version,
	}
}

// TestAccWriteOnly: write-only texts and ephemeral credentials are neither in
// the state, its backups and private state, nor in a plan file and its JSON,
// nor in any output and log of the CLI and the provider, whatever the outcome
// of the apply.
func TestAccWriteOnly(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestSecretMatrix", "TestAccDataSource_secrets"))
	t.Parallel()
	w := newCLI(t)
	acctest.RequireWriteOnly(t)
	b := newTestbed(t, sandbox.Options{})
	cluster := acctest.NewKubeServer(t)
	cluster.RunServings(&acctest.Env{Sandbox: b.server})
	lost := sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/update", AfterEffect: true, Times: sandbox.Always}
	echoed := sandbox.Fault{Kind: sandbox.FaultCode, Path: "serving/update", Times: sandbox.Always,
		Message: `cannot parse {"key":"` + plantedKey + `","model":3}, key ` + everyForm(plantedKey) + ", token " + everyForm(plantedToken)}
	for _, step := range []struct {
		name  string
		form  attrs
		more  attrs
		fault sandbox.Fault
		fails bool
	}{
		{name: "create", form: hiddenForm(1, 1)},
		{name: "the answer is lost", form: hiddenForm(2, 2), fault: lost, fails: true},
		{name: "update", form: hiddenForm(2, 2)},
		{name: "the server talks too much", form: hiddenForm(3, 3), fault: echoed, fails: true},
		{name: "the rollout cannot be watched", form: hiddenForm(3, 3), more: attrs{"redeploy_triggers": attrs{"n": "0"}}, fault: sandbox.Fault{Kind: sandbox.FaultReset, Path: "status/batchQuery", Times: sandbox.Always}, fails: true},
		{name: "restart", form: hiddenForm(3, 3), more: attrs{"redeploy_triggers": attrs{"n": "1"}}},
	} {
		update := "3m"
		if step.fails {
			update = "5s"
		}
		w.save(hiding(b.server.Endpoint(), cluster, step.form, step.more, update))
		w.applySaved(t, b, step.name, step.fault, step.fails)
		for name, content := range w.files(t) {
			for _, secret := range planted {
				if spelling, _ := findSecret(content, secret); spelling != "" {
					t.Errorf("%s: a secret is in %s as %s", step.name, name, spelling)
				}
			}
		}
	}
	stored, err := b.server.Serving("one")
	if err != nil || !strings.Contains(stored.InputConfig, `"model":3`) || !strings.Contains(stored.InputConfig, plantedKey) {
		t.Errorf("Kuscia has %q, %v", stored.InputConfig, err)
	}

	// Without the write-only attribute the text is in the state, which proves
	// that the search works.
	w.save(hiding(b.server.Endpoint(), cluster, attrs{"serving_input_config": acctest.Reference("jsonencode({ model = 3, key = var.key })")}, nil, "3m"))
	_, _ = w.run(t, "plan", "-no-color", "-input=false", "-out=saved.plan")
	if output, code := w.apply(t); code != 0 {
		t.Errorf("without the write-only attribute: %s", withoutLog(output))
	}
	files := w.files(t)
	if !private.MatchString(files["terraform.tfstate"]) {
		t.Error("there is no private state, so the search for secrets proves nothing")
	}
	for _, name := range []string{"terraform.tfstate", "saved.plan/tfplan"} {
		if !strings.Contains(files[name], plantedKey) {
			t.Errorf("the text is not found in %s", name)
		}
	}
	if output, code := w.run(t, "destroy", "-no-color", "-input=false", "-auto-approve"); code != 0 {
		t.Errorf("destroy: %s", withoutLog(output))
	}
}

var private = regexp.MustCompile(`"private": "([^"]+)"`)

// files are the files that the CLI has written, by name, with extracted
// archives and decoded private state.
func (c *cli) files(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	must(filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(c.dir, path)
		must(err)
		if archive, err := zip.OpenReader(path); err == nil {
			for _, part := range archive.File {
				reader, err := part.Open()
				must(err)
				content, err := io.ReadAll(reader)
				must(err)
				found[name+"/"+part.Name] = string(content)
			}
			return archive.Close()
		}
		content, err := os.ReadFile(path)
		must(err)
		found[name] = string(content)
		return nil
	}))
	for name, content := range found {
		for _, match := range private.FindAllStringSubmatch(content, -1) {
			decoded, err := base64.StdEncoding.DecodeString(match[1])
			must(err)
			// Its values are encoded once more.
			for _, text := range regexp.MustCompile(`"([A-Za-z0-9+/=]+)"`).FindAllStringSubmatch(string(decoded), -1) {
				inner, _ := base64.StdEncoding.DecodeString(text[1])
				decoded = append(decoded, inner...)
			}
			found[name] += string(decoded)
		}
	}
	return found
}
