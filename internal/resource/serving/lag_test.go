package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/servingstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/sandboxtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// virtualServer is a sandbox whose clock follows that of a synctest bubble. It
// is called without a network, for which a bubble would wait.
type virtualServer struct {
	*sandbox.Sandbox

	t       *testing.T
	began   time.Time
	advance time.Duration
}

func (v *virtualServer) catchUp() {
	since := time.Since(v.began)
	v.Advance(since - v.advance)
	v.advance = since
}

func (v *virtualServer) call(path string, request, data any) {
	v.t.Helper()
	time.Sleep(5 * time.Millisecond)
	v.catchUp()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/api/v1/"+path, strings.NewReader(testjson.Encode(v.t, request)))
	r.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	v.Handler().ServeHTTP(recorder, r)
	response := struct {
		Status struct{ Code int32 }
		Data   any
	}{Data: data}
	if err := json.Unmarshal(recorder.Body.Bytes(), &response); err != nil || response.Status.Code != 0 {
		v.t.Fatalf("%s: %v, %s", path, err, recorder.Body)
	}
}

func (v *virtualServer) BatchQueryServingStatus(_ context.Context, ids []string) ([]kuscia.ServingStatus, error) {
	var data struct{ Servings []kuscia.ServingStatus }
	v.call("serving/status/batchQuery", map[string]any{"serving_ids": ids}, &data)
	return data.Servings, nil
}

// lagCases are the parts of an update: of a party before and after, or nil for a restart.
var lagCases = map[string][2]func(*rules.Party){
	"image":      {Image("v1"), Image("v2")},
	"resources":  {Resources(ContainerResources("", "1", "", "", "")), Resources(ContainerResources("", "2", "", "", ""))},
	"scale up":   {Replicas(2), Replicas(4)},
	"scale down": {Replicas(3), Replicas(1)},
	"image and scale": {
		func(p *rules.Party) { Image("v1")(p); Replicas(1)(p) }, func(p *rules.Party) { Image("v2")(p); Replicas(2)(p) },
	},
	"configuration": {},
	"redeploy":      {},
}

// lagStrategies are ways to replace pods: with and without surge, and all at
// once.
var lagStrategies = []func(*rules.Party){
	RollingUpdate("25%", "25%"), RollingUpdate("1", "0"), RollingUpdate("0", "1"), RollingUpdate("100%", "0"), RollingUpdate("0", "50%"), Recreate,
}

// TestLaggingControlPlane updates servings whose controllers do nothing for up
// to 45 s after the request. No wait ends before the pods themselves are as
// specified.
func TestLaggingControlPlane(t *testing.T) {
	updates := short.Count(60, 300)
	for name, edit := range lagCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, start := range []time.Duration{200 * time.Millisecond, time.Second} {
				timing := sandbox.RealTiming()
				timing.Start = start
				box, _ := sandboxtest.Start(t, sandbox.Options{FrozenClock: true, Timing: timing, RecordLimit: -1})
				for _, image := range []*kuscia.AppImage{Tagged("v1", "1", nil), Tagged("v2", "2", nil)} {
					protocol.NoError(t, box.PutAppImage(*image))
				}
				random := rand.New(rand.NewPCG(1, uint64(start)))
				synctest.Test(t, func(t *testing.T) {
					v := &virtualServer{Sandbox: box, t: t, began: time.Now()}
					for i := range updates / 2 {
						lag := time.Duration(random.Int64N(int64(45 * time.Second)))
						if i%5 == 0 {
							lag = 0
						}
						strategy := lagStrategies[random.IntN(len(lagStrategies))]
						pods := Replicas(1 + random.Int32N(3))
						alice, bob := PartyOf("alice", Image("v1"), pods, strategy), PartyOf("bob", Image("v1"), Replicas(1))
						before, after := ConfigOf(alice, bob), ConfigOf(alice, bob)
						if edit[0] != nil {
							before, after = InParty(before, 0, edit[0]), InParty(after, 0, edit[1])
							if i%2 == 0 { // of both parties
								before, after = InParty(before, 1, edit[0]), InParty(after, 1, edit[1])
							}
						}
						if name == "configuration" {
							after = WithPlainConfig(after, types.StringValue(`{"model": 2}`))
						}
						v.update(fmt.Sprint(i), before, after, lag)
					}
				})
			}
		})
	}
}

// update creates a serving, updates it and waits as the resource does, without an observer.
func (v *virtualServer) update(id string, before, after rules.Serving, lag time.Duration) {
	v.t.Helper()
	images := ImagesOf(Tagged("v1", "1", nil), Tagged("v2", "2", nil))
	before = before.WithDefaults()
	before, after = before.WithServingAttribute("serving_id", TextOrNull(id)), after.WithServingAttribute("serving_id", TextOrNull(id))
	before = before.WithParties(WithImages(before.Parties(), images))
	var diags diag.Diagnostics
	v.call("serving/create", rules.CreateRequest(before, &diags), nil)
	time.Sleep(20 * time.Second)
	private := rules.Private{}
	for _, p := range before.Parties().Items {
		private = private.WithContainers(p.Key(), []string{"main"})
	}
	after, _ = rules.PlanUpdate(after, before, rules.RecordCreate(private, before, images), rules.KnownImages(images))
	request := rules.UpdateRequest(after, before, private, &diags)
	NoDiags(v.t, diags)
	if request == nil {
		after = InParties(after, func(parties []rules.Party) []rules.Party {
			for i := range parties {
				parties[i] = parties[i].WithPartyAttribute(party.AttrPodRevision, types.Int64Value(2))
			}
			return parties
		})
		text := before.ServingInputConfig().ValueString()
		request = &kuscia.UpdateServingRequest{ServingID: id, ServingInputConfig: rules.ChangeWhitespace(text, text)}
	}
	statuses, _ := v.BatchQueryServingStatus(v.t.Context(), []string{id})
	target := rules.UpdateTarget(after, before, private, &servingstatus.Snapshot{Status: statuses[0].Status})
	if lag > 0 {
		v.Inject(sandbox.Fault{Kind: sandbox.FaultLag, Path: "serving/update", Delay: lag})
	}
	v.call("serving/update", request, nil)
	v.ClearFaults()
	began := time.Now()
	target.Since = began
	result, err := servingstatus.NewPoller(v).WaitRunning(v.t.Context(), target)
	v.catchUp()
	if err != nil || len(result.StartNotObserved) > 0 {
		v.t.Errorf("%s, lag %s: %+v, %v", id, lag, result.StartNotObserved, err)
	}
	if err := v.PodsRun(id); err != nil {
		v.t.Errorf("lag %s: done after %s: %v", lag, time.Since(began), err)
	}
	if err := v.RemoveServing(id); err != nil {
		v.t.Error(err)
	}
}
