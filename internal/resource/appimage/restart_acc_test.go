package appimage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccAppImageUpdateDuringRestart: a server that restarts when an apply begins its first
// update, for longer than the usual retries take, is awaited; a wrong endpoint is not.
func TestAccAppImageUpdateDuringRestart(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	name := e.Name("restart")
	w := e.Applied(t, appImage{name: name}.hcl())

	w.Write("main.tf", appImage{name: name, image: `tag = "2"`}.hcl())
	w.Run(0, "plan", "-input=false", "-out=plan")
	if err := e.Sandbox.Pause(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(15*time.Second, func() {
		if err := e.Sandbox.Resume(t.Context()); err != nil {
			t.Error(err)
		}
	})
	w.Run(0, "apply", "-input=false", "plan")
	if plan := w.Plan(0); !strings.Contains(plan, "No changes") {
		t.Error(plan)
	}

	w.Write("main.tf", acctest.ProviderBlock(map[string]any{"endpoint": "https://127.0.0.1:1"})+appImage{name: name}.hcl())
	began := time.Now()
	if output := w.Run(1, "plan", "-input=false"); time.Since(began) > 20*time.Second || !strings.Contains(acctest.Plain(output), "refused") {
		t.Errorf("after %s: %s", time.Since(began), output)
	}
	w.Write("main.tf", appImage{name: name, image: `tag = "2"`}.hcl())
}
