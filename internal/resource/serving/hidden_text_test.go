package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

const hiddenText1, hiddenText2 = `{"key":"hidden-key-1","model":1}`, `{"key":"hidden-key-2","model":2}`

// hiding sets the text in the write-only form, showing in the plain form.
func hiding(text string, version int) attrs {
	return attrs{"serving_input_config": nil, "serving_input_config_wo": text, "serving_input_config_wo_version": version}
}

func showing(text string) attrs {
	return attrs{"serving_input_config": text, "serving_input_config_wo": nil, "serving_input_config_wo_version": nil}
}

// unretried is a serving of a provider that sends each request once.
func unretried(t *testing.T) *live {
	t.Helper()
	e := acctest.NewSandbox(t, sandbox.Options{})
	l := newLive(t, e, e.AppImage())
	l.variables = map[string]string{"KUSCIA_MAX_RETRIES": "0"}
	return l
}

// withoutText checks that neither the state nor what is said has a hidden text.
func (l *live) withoutText(said string) {
	l.t.Helper()
	if stored := string(protocol.JSON(l.state.Value)) + string(l.state.Private); strings.Contains(stored+said, "hidden-key") {
		l.t.Errorf("the text is in the state %s, or in %s", stored, said)
	}
}

func (l *live) has(want string) {
	l.t.Helper()
	if found := l.query(); !tfvalue.ConfigTextEqual(found.ServingInputConfig, want) {
		l.t.Errorf("Kuscia has %q, want %q", found.ServingInputConfig, want)
	}
}

// TestHiddenTextLost: after a lost response to an update it is unknown which text Kuscia has. The
// state records that without the text, and the next apply resolves it.
func TestHiddenTextLost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after, then attrs
		want                string
		happens             bool
	}{
		"another version, stored": {hiding(hiddenText1, 1), hiding(hiddenText2, 2), hiding(hiddenText2, 2), hiddenText2, true},
		"reverted":                {hiding(hiddenText1, 1), hiding(hiddenText2, 2), hiding(hiddenText1, 1), hiddenText1, true},
		"hidden":                  {showing(hiddenText1), hiding(hiddenText2, 2), hiding(hiddenText2, 2), hiddenText2, true},
		"shown":                   {hiding(hiddenText1, 1), showing(hiddenText2), hiding(hiddenText1, 1), hiddenText1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := unretried(t).set(test.before)
			l.mustApply()
			l.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/update", AfterEffect: test.happens, Times: sandbox.Always})
			said := l.set(test.after).try()
			says(t, "the apply", said, "ERROR")
			l.env.Sandbox.ClearFaults()
			l.withoutText(said)
			l.mustRead()
			if said, differs := l.set(test.then).plan(); !differs {
				t.Errorf("the plan is empty: %s", said)
			}
			l.mustApply()
			l.has(test.want)
		})
	}
}

// TestHiddenTextNoJSON: a restart would send again the text that another client has stored, which is
// not JSON, so that nothing is sent.
func TestHiddenTextNoJSON(t *testing.T) {
	t.Parallel()
	l := unretried(t).set(hiding(hiddenText1, 1)).set(attrs{"redeploy_triggers": attrs{"again": "1"}})
	l.mustApply()
	protocol.NoError(t, l.env.Sandbox.MutateServing(l.id(), func(s *sandbox.ServingSpec) { s.InputConfig = "plain" }))
	requests := l.env.CountRequests()
	says(t, "the restart", l.set(attrs{"redeploy_triggers": attrs{"again": "2"}}).try(), "ERROR", "not JSON")
	acctest.CheckNoWrites(t, "the refused apply", requests)
}

// TestHiddenTextRestartLost: after a lost response to a restart Kuscia has the text that it had, so
// that the next apply does not need it.
func TestHiddenTextRestartLost(t *testing.T) {
	t.Parallel()
	l := unretried(t).set(hiding(hiddenText1, 1)).set(attrs{"redeploy_triggers": attrs{"again": "1"}})
	l.mustApply()
	l.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/update", AfterEffect: true, Times: sandbox.Always})
	says(t, "the restart", l.set(attrs{"redeploy_triggers": attrs{"again": "2"}, "serving_input_config_wo": nil}).try(), "ERROR")
	l.env.Sandbox.ClearFaults()
	l.mustRead()
	l.mustApply()
	l.has(hiddenText1)
	l.withoutText("")
}

// TestHiddenTextUncertain: the result of a create with an unknown outcome is not compared with a
// text that the state does not have. The next apply with adopt_existing adopts the serving if it
// has the desired text, and only then.
func TestHiddenTextUncertain(t *testing.T) {
	t.Parallel()
	for name, ours := range map[string]bool{"ours": true, "somebody else's": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := unretried(t).set(hiding(hiddenText1, 1)).set(attrs{"timeouts": attrs{"create": "2s"}})
			box := l.env.Sandbox
			box.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/create", AfterEffect: true, Times: 1})
			box.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/query", Times: sandbox.Always})
			says(t, "the create", l.try(), "ERROR")
			box.ClearFaults()
			if !ours {
				protocol.NoError(t, box.MutateServing(l.id(), func(s *sandbox.ServingSpec) { s.InputConfig = hiddenText2 }))
			}
			l.refresh()
			if l.set(attrs{"timeouts": nil}); !l.state.Value.IsNull() {
				t.Errorf("after the refresh the state is %s", l.state.Value)
			}
			requests := l.env.CountRequests()
			says(t, "without adopt_existing the create", l.try(), "ERROR", "to = kuscia_serving.NAME")
			l.variables["KUSCIA_ADOPT_EXISTING"] = "true"
			said := l.try()
			l.withoutText(said)
			if ours != !strings.Contains(said, "ERROR") {
				t.Error(said)
			}
			if !ours {
				says(t, "the adoption", said, "It differs from the configuration in serving_input_config")
			} else if said, differs := l.plan(); differs {
				t.Errorf("the plan is not empty: %s", said)
			}
			if err := requests.ExpectNone(acctest.PathServingDelete)(nil); err != nil {
				t.Error(err)
			}
			l.query()
		})
	}
}

// TestHiddenTextOfRedeploy: what a server says while a redeploy waits does not show the text.
func TestHiddenTextOfRedeploy(t *testing.T) {
	t.Parallel()
	l := unretried(t).set(hiding(hiddenText1, 1))
	l.mustApply()
	l.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: acctest.PathServingStatus, Code: 11700, Message: "no pod runs with " + hiddenText1, Times: sandbox.Always})
	progress, diagnostics := l.env.Server(l.variables).Invoke(t, "kuscia_serving_redeploy", attrs{"serving_id": l.id(), "timeouts": attrs{"invoke": "5s"}})
	said := protocol.Messages(diagnostics)
	says(t, "the redeploy", said, "ERROR", "no pod runs with")
	l.withoutText(said + strings.Join(progress, ""))
}
