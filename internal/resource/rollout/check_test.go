package rollout

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// recordedSpec is a spec that was sent to a real cluster, and the response.
type recordedSpec struct {
	Case        string         `json:"case"`
	Strategy    map[string]any `json:"strategy"`
	WorkloadRef map[string]any `json:"workloadRef"`
	HTTP        int            `json:"http"`
	Message     string         `json:"message"`
}

// value returns the spec as a configuration. ok is false if no configuration
// can express it because of Terraform's types or because of required or missing
// attributes.
func (r recordedSpec) value() (definition.Value, bool) {
	impossible := []string{"no strategy", "replicas 1.5 float", "disabled \"yes\"", "unknown field (strict)", "trafficRoutingRef under strategy (as in docs)", "bg with enableExtraWorkloadForCanary",
		"bg with patchPodTemplateMetadata", "namespace missing", "name uppercase", "name 254", "trafficRouting without service"}
	if r.WorkloadRef == nil {
		r.WorkloadRef = map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "glm"}
	}
	if slices.Contains(impossible, r.Case) || r.WorkloadRef["name"] == nil {
		return definition.Value{}, false
	}
	read, err := kruise.RolloutFrom(map[string]any{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"namespace": "alice", "name": "glm"},
		"spec": map[string]any{"workloadRef": r.WorkloadRef, "strategy": r.Strategy},
	})
	if err != nil { // a value of another type
		return definition.Value{}, false
	}
	return rollout.Definition.Encode(fromWire(&object{Rollout: *read})), true
}

// minimal returns a minimal Rollout, modified by with.
func minimal(with tree) tree {
	out := tree{
		attrNamespace: "alice", attrName: "glm", attrWorkloadRef: tree{attrName: "glm"},
		attrCanary: tree{attrSteps: []any{tree{attrReplicas: "1"}, tree{attrReplicas: "2"}}},
	}
	maps.Copy(out, with)
	return out
}

// wordsOf extracts the part of a recorded rejection that must also appear in
// the provider's error.
func wordsOf(message string) string {
	for _, words := range []string{
		"must have at most 50 items", "must have at most 16 items", "should match '^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$'", "Duplicate value", "supported values",
	} {
		if strings.Contains(message, words) {
			return words
		}
	}
	message, _, _ = strings.Cut(message, ", <nil>")
	if _, after, ok := strings.Cut(message, "}: "); ok {
		for {
			_, next, more := strings.Cut(after, "}: ")
			if !more {
				return after
			}
			after = next
		}
	}
	parts := strings.Split(message, ": ")
	return parts[len(parts)-1]
}

// TestWebhookRules: validate rejects each spec that a real cluster rejected, at
// an attribute and in the words of the webhook. It accepts each spec that the
// cluster accepted, and warns about those without effect.
func TestWebhookRules(t *testing.T) {
	t.Parallel()
	all := testfile.JSON[[]recordedSpec](t, "../../api/kruise/testdata/invalid-specs.json")
	// Specs that the cluster accepts and that are a plan error, or a warning.
	unusable := []string{`workloadRef {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "x"}`, `workloadRef {"apiVersion": "apps/v1", "kind": "Deployment", "name": ""}`,
		`workloadRef {"apiVersion": "apps/v2", "kind": "Deployment", "name": "x"}`, "patchPodTemplateMetadata with canary bad label"}
	doubtful := []string{"mixed 3 then 20%", "equal steps", "last not 100%", "partition traffic 20% replicas 50%", "partition traffic, replicas int 100", "traffic without trafficRoutings",
		"traffic 0% bg", "pause duration -1", "pause duration 0", "failureThreshold 200%", "failureThreshold abc", "patchPodTemplateMetadata with partition", "bg last step 50%"}
	checked, limited := 0, 0
	for _, recorded := range all {
		value, ok := recorded.value()
		if !ok {
			continue
		}
		checked++
		if recorded.Case == `replicas "5" string` {
			recorded.HTTP = 201 // as the number that the provider makes of it
		}
		issues := rollout.Issues(value)
		count := map[check.Severity]int{}
		for _, issue := range issues {
			count[issue.Severity]++
		}
		switch recorded.HTTP {
		case 201:
			if count[check.Refused] > 0 || (count[check.Unusable] > 0) != slices.Contains(unusable, recorded.Case) || (count[check.Doubtful] > 0) != slices.Contains(doubtful, recorded.Case) {
				t.Errorf("%s: the cluster accepts it, got issues %v", recorded.Case, issues)
			}
		default:
			words := wordsOf(recorded.Message)
			if words == "supported values" {
				words = "is not allowed; use"
			}
			// A flag of the manager sets this limit.
			severity := check.Refused
			if strings.Contains(words, "partition-percent-limit") {
				severity = check.Doubtful
				limited++
			}
			if !slices.ContainsFunc(issues, func(i check.Issue) bool {
				return i.Severity == severity && strings.Contains(i.Detail, words) && len(i.At.Steps()) > 0
			}) {
				t.Errorf("%s: want a rejection with %q, got %v", recorded.Case, words, issues)
			}
			if diags := rollout.Validate(value); diags.HasError() != (severity == check.Refused) {
				t.Errorf("%s: validate says %v", recorded.Case, diags)
			}
		}
	}
	if checked != 63 || limited == 0 {
		t.Errorf("checked %d of %d recorded specs, %d of them with a limit that a flag sets", checked, len(all), limited)
	}
}

// TestNames: names are validated as Kubernetes and the webhook do.
func TestNames(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{"glm": true, "a.b": true, strings.Repeat("a", 253): true, strings.Repeat("a", 254): false, "A": false, "": false, "a\n": false} {
		if (nameProblem(name) == "") != valid {
			t.Errorf("%q: %s", name, nameProblem(name))
		}
	}
	for name, valid := range map[string]bool{"alice": true, "a.b": false, strings.Repeat("a", 64): false, "": false} {
		if (namespaceProblem(name) == "") != valid {
			t.Errorf("%q: %s", name, namespaceProblem(name))
		}
	}
}

// TestMoreRules: rules that the recordings do not cover.
func TestMoreRules(t *testing.T) {
	t.Parallel()
	step := func(with tree) tree {
		one := tree{attrReplicas: "100%"}
		maps.Copy(one, with)
		return tree{attrCanary: tree{attrSteps: []any{one}, attrExtraWorkload: true}}
	}
	style := func(with tree) tree {
		with[attrSteps] = []any{tree{attrReplicas: "100%"}}
		return tree{attrCanary: with}
	}
	seventeen := map[string]string{}
	for _, letter := range "abcdefghijklmnopq" {
		seventeen[string(letter)] = "1"
	}
	for name, test := range map[string]struct {
		with     tree
		at, says string
	}{
		"a large number":      {step(tree{attrReplicas: "3000000000"}), "canary.steps[0].replicas", "must be positive number"},
		"nothing":             {step(tree{attrReplicas: ""}), "canary.steps[0].replicas", "replicas cannot be empty"},
		"a fraction":          {step(tree{attrPause: tree{attrDuration: 1.5}}), "canary.steps[0].pause.duration", "whole number"},
		"a long pause":        {step(tree{attrPause: tree{attrDuration: int64(1 << 40)}}), "canary.steps[0].pause.duration", "whole number"},
		"a workload's path":   {tree{attrWorkloadRef: tree{attrName: "alice/kd"}}, "workload_ref.name", "No object can have this name"},
		"a routing's ID":      {style(tree{attrRoutingRef: "alice/routing"}), "canary.traffic_routing_ref", "No object can have this name"},
		"path type":           {step(tree{attrMatches: []any{tree{attrPath: tree{attrType: "X"}}}}), "canary.steps[0].matches[0].path.type", `"PathPrefix"`},
		"a relative path":     {step(tree{attrMatches: []any{tree{attrPath: tree{attrValue: "a"}}}}), "canary.steps[0].matches[0].path.value", `start with "/"`},
		"a path with dots":    {step(tree{attrMatches: []any{tree{attrPath: tree{attrType: "Exact", attrValue: "/a/../b"}}}}), "canary.steps[0].matches[0].path.value", `must not contain "/../"`},
		"a path that ends":    {step(tree{attrMatches: []any{tree{attrPath: tree{attrValue: "/a/.."}}}}), "canary.steps[0].matches[0].path.value", `must not end with "/.."`},
		"a path with spaces":  {step(tree{attrMatches: []any{tree{attrPath: tree{attrValue: "/a b"}}}}), "canary.steps[0].matches[0].path.value", "characters that a URL may contain"},
		"a path with a query": {step(tree{attrMatches: []any{tree{attrPath: tree{attrType: "Exact", attrValue: "/x?y=1"}}}}), "canary.steps[0].matches[0].path.value", "characters that a URL may contain"},
		"parameter type":      {step(tree{attrMatches: []any{tree{attrQueryParams: []any{tree{attrType: "X", attrName: "a", attrValue: "b"}}}}}), "canary.steps[0].matches[0].query_params[0].type", "RegularExpression"},
		"empty value":         {step(tree{attrMatches: []any{tree{attrHeaders: []any{tree{attrName: "a", attrValue: ""}}}}}), "canary.steps[0].matches[0].headers[0].value", "1 to 4096"},
		"removed twice":       {step(tree{attrHeaderModifier: tree{attrRemove: []string{"a", "a"}}}), "canary.steps[0].request_header_modifier.remove[1]", "twice"},
		"17 removed":          {step(tree{attrHeaderModifier: tree{attrRemove: strings.Split("abcdefghijklmnopq", "")}}), "canary.steps[0].request_header_modifier.remove", "at most 16 items"},
		"17 set":              {step(tree{attrHeaderModifier: tree{attrSet: seventeen}}), "canary.steps[0].request_header_modifier.set", "at most 16 items"},
		"an empty header":     {step(tree{attrHeaderModifier: tree{attrSet: map[string]string{"a": ""}}}), `canary.steps[0].request_header_modifier.set["a"]`, "1 to 4096"},
		"no header's name":    {step(tree{attrHeaderModifier: tree{attrSet: map[string]string{"a b": "1"}}}), `canary.steps[0].request_header_modifier.set["a b"]`, "not a valid name"},
		"a parameter twice":   {step(tree{attrMatches: []any{tree{attrQueryParams: []any{tree{attrName: "a", attrValue: "1"}, tree{attrName: "a", attrValue: "2"}}}}}), "canary.steps[0].matches[0].query_params[1].name", "Duplicate value"},
		"headers of one name": {step(tree{attrMatches: []any{tree{attrHeaders: []any{tree{attrName: "a", attrValue: "1"}, tree{attrName: "A", attrValue: "2"}}}}}), "canary.steps[0].matches[0].headers[1].name", `"a" and "A" are the same header`},
		"set in two cases":    {step(tree{attrHeaderModifier: tree{attrAdd: map[string]string{"a": "1", "A": "2"}}}), `canary.steps[0].request_header_modifier.add["a"]`, "are the same header"},
		"pods after a share":  {tree{attrCanary: tree{attrSteps: []any{tree{attrReplicas: "25%"}, tree{attrReplicas: "3"}}}}, "canary.steps[1].replicas", "does not carry out a number of pods after a percentage"},
		"no metadata":         {style(tree{attrExtraWorkload: true, attrPatchMetadata: tree{}}), "canary.patch_pod_template_metadata", "omit it"},
		"no modification":     {step(tree{attrHeaderModifier: tree{}}), "canary.steps[0].request_header_modifier", "omit it"},
		"a label's value":     {style(tree{attrExtraWorkload: true, attrPatchMetadata: tree{"labels": map[string]string{"a": "b c"}}}), `canary.patch_pod_template_metadata.labels["a"]`, "cannot be the value of a label"},
		"no last pause":       {step(tree{attrPause: tree{attrDuration: int64(60)}}), "canary.steps[0].pause", "does not pause after a last step"},
		"grace 0":             {style(tree{attrTrafficRoutings: []any{tree{attrService: "s", attrGrace: 0, attrIngress: tree{attrName: "i"}}}}), "canary.traffic_routings[0].grace_period_seconds", "by the default, 3"},
		"no HTTPRoute":        {style(tree{attrTrafficRoutings: []any{tree{attrService: "s", attrGateway: tree{attrRouteName: ""}}}}), "canary.traffic_routings[0].gateway.http_route_name", "must set the name of HTTPRoute"},
		"an unknown version":  {tree{attrWorkloadRef: tree{attrAPIVersion: "apps/v2", attrName: "x"}}, "workload_ref.api_version", `Kubernetes has no "apps/v2"`},
		"a ReplicaSet":        {tree{attrWorkloadRef: tree{attrKind: "ReplicaSet", attrName: "x"}}, "workload_ref.kind", "accepts a ReplicaSet"},
		"no workload's name":  {tree{attrWorkloadRef: tree{attrName: ""}}, "workload_ref.name", "The name is empty"},
		"unknown group":       {tree{attrWorkloadRef: tree{attrAPIVersion: "v1", attrKind: "Pod", attrName: "x"}}, "workload_ref.kind", "WorkloadRef kind is not supported"},
		"an annotation's key": {style(tree{attrExtraWorkload: true, attrPatchMetadata: tree{"annotations": map[string]string{"a b": "c"}}}), `canary.patch_pod_template_metadata.annotations["a b"]`, "not a valid name of a label"},
	} {
		issues := rollout.Issues(rollout.Definition.Encode(minimal(test.with)))
		if !slices.ContainsFunc(issues, func(i check.Issue) bool { return i.At.String() == test.at && strings.Contains(i.Detail, test.says) }) {
			t.Errorf("%s: %v", name, issues)
		}
	}
	differ := step(tree{attrMatches: []any{tree{attrQueryParams: []any{tree{attrName: "a", attrValue: "1"}, tree{attrName: "A", attrValue: "2"}}}}})
	for _, issue := range rollout.Issues(rollout.Definition.Encode(minimal(differ))) {
		if strings.HasSuffix(issue.At.String(), ".name") {
			t.Errorf("parameters whose names differ in case: %v", issue)
		}
	}
	pauses := []any{tree{attrReplicas: "50%", attrPause: tree{attrDuration: int64(60)}}, tree{attrReplicas: "100%"}}
	for name, with := range map[string]tree{
		"a pause before the last step": {attrCanary: tree{attrSteps: pauses, attrExtraWorkload: true}},
		"labels and annotations":       style(tree{attrExtraWorkload: true, attrPatchMetadata: tree{"labels": map[string]string{"a": "1"}, "annotations": map[string]string{"a": "1"}}}),
		"a last pause of blue-green":   {attrCanary: nil, attrBlueGreen: tree{attrSteps: []any{tree{attrReplicas: "100%", attrPause: tree{attrDuration: int64(60)}}}}},
	} {
		if issues := rollout.Issues(rollout.Definition.Encode(minimal(with))); len(issues) > 0 {
			t.Errorf("%s: %v", name, issues)
		}
	}
	if diags := rollout.Validate(rollout.Definition.Encode(minimal(tree{"timeouts": tree{"update": "20"}}))); len(diags) != 1 || !strings.Contains(diags[0].Detail(), `timeouts.update: "20" has no unit`) {
		t.Errorf("timeout without a unit: got %v", diags)
	}
}

// TestApprovalRules: invalid approvals are rejected.
func TestApprovalRules(t *testing.T) {
	t.Parallel()
	for says, with := range map[string]tree{
		"": nil, "is not a namespace": {attrNamespace: "A"}, "is not a valid name": {attrName: "A"}, "step is 51; use a whole number": {attrStep: 51}, "to_step is 1.5; use": {attrToStep: 1.5},
		"to_step is the same as step": {attrToStep: 1}, "has no unit": {"timeouts": tree{"update": "20"}},
	} {
		config := tree{attrNamespace: "alice", attrName: "r", attrStep: 1}
		maps.Copy(config, with)
		diags := validateApproval(approvalDefinition.Encode(config))
		if diags.HasError() != (says != "") || says != "" && !strings.Contains(diags[0].Detail(), says) {
			t.Errorf("%q: %v", says, diags)
		}
	}
}

// TestStepFor covers the step in which the controller continues after a change of the
// steps, as its function recalculateCanaryStep: the current one, or else the first other
// one with enough pods, or else the last other one.
func TestStepFor(t *testing.T) {
	t.Parallel()
	steps := func(shares ...kruise.IntOrPercent) (out []kruise.Step) {
		for _, share := range shares {
			out = append(out, kruise.Step{Replicas: &share})
		}
		return out
	}
	for name, test := range map[string]struct {
		before, after []kruise.Step
		current, want int
	}{
		"more pods":                 {steps("25%", "100%"), steps("50%", "100%"), 1, 1},
		"fewer pods":                {steps("50%", "75%", "100%"), steps("25%", "75%", "100%"), 1, 2},
		"fewer pods everywhere":     {steps("75%", "100%"), steps("25%", "50%"), 1, 2},
		"fewer in the last step":    {steps("25%", "100%"), steps("25%", "50%"), 2, 1},
		"fewer, an earlier is more": {steps("25%", "50%", "75%"), steps("75%", "50%", "50%"), 3, 1},
		"the same number":           {steps("50%", "100%"), steps("2", "100%"), 1, 1},
	} {
		if got, certain := stepFor(test.before, test.after, test.current, 4, true); got != test.want || !certain {
			t.Errorf("%s: step %d, certain %t, want %d", name, got, certain, test.want)
		}
	}
	if restartsStep(kruise.Strategy{}, kruise.Strategy{}) { // an object that another client made has no style
		t.Error("no change restarts a step")
	}
	for current, want := range map[int]bool{1: true, 2: false} { // of an unknown number of pods
		if got, certain := stepFor(steps("50%", "75%"), steps("50%", "70%"), current, 0, false); got != current || certain != want {
			t.Errorf("step %d, certain %t", got, certain)
		}
	}
}

// TestUnknownIsNoIssue: unknown values are not reported.
func TestUnknownIsNoIssue(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]tree{
		"all of a style":  {attrCanary: definition.Unknown},
		"the other style": {attrCanary: definition.Unknown, attrBlueGreen: definition.Unknown},
		"the steps":       {attrCanary: tree{attrSteps: definition.Unknown}},
		"a number":        {attrCanary: tree{attrSteps: []any{tree{attrReplicas: definition.Unknown}, tree{attrReplicas: "1"}}}},
		"the workload":    {attrWorkloadRef: definition.Unknown},
		"its kind":        {attrWorkloadRef: tree{attrKind: definition.Unknown, attrName: "x"}},
		"the style's way": {attrCanary: tree{attrExtraWorkload: definition.Unknown, attrSteps: []any{tree{attrReplicas: "100%", attrTraffic: "20%"}}, attrRoutingRef: definition.Unknown}},
		"the name":        {attrName: definition.Unknown, attrNamespace: definition.Unknown},
	} {
		if issues := rollout.Issues(rollout.Definition.Encode(minimal(with))); len(issues) > 0 {
			t.Errorf("%s: %v", name, issues)
		}
	}
}

// TestTrafficRoutingRules: invalid traffic routings are rejected.
func TestTrafficRoutingRules(t *testing.T) {
	t.Parallel()
	found := func(with tree) []check.Issue {
		out := tree{attrNamespace: "alice", attrName: "t", attrObjectRef: []any{tree{attrService: "s", attrIngress: tree{attrName: "i"}}}, attrStrategy: tree{attrWeight: int64(0)}}
		maps.Copy(out, with)
		return trafficRouting.Issues(trafficRouting.Definition.Encode(out))
	}
	if issues := found(nil); len(issues) > 0 {
		t.Errorf("minimal configuration: got %v", issues)
	}
	for name, with := range map[string]tree{
		"weight":   {attrStrategy: tree{attrWeight: int64(-1)}},
		"no route": {attrObjectRef: []any{tree{attrService: "s"}}},
		"service":  {attrObjectRef: []any{tree{attrService: "alice/s", attrIngress: tree{attrName: "i"}}}},
		"ingress":  {attrObjectRef: []any{tree{attrService: "s", attrIngress: tree{attrName: "I"}}}},
		"route":    {attrObjectRef: []any{tree{attrService: "s", attrGateway: tree{attrRouteName: "r_1"}}}},
		"header":   {attrStrategy: tree{attrMatches: []any{tree{attrHeaders: []any{tree{attrName: "a b", attrValue: "c"}}}}}},
	} {
		if len(found(with)) == 0 {
			t.Errorf("%s: accepted", name)
		}
	}
	pair := tree{attrName: "a", attrValue: "c"} // the v1alpha1 API accepts it twice
	if issues := found(tree{attrStrategy: tree{attrMatches: []any{tree{attrHeaders: []any{pair, pair}}}}}); len(issues) != 1 || issues[0].Severity != check.Doubtful || !strings.Contains(issues[0].Detail, `"a" is in the list twice`) {
		t.Errorf("a header twice: %v", issues)
	}
}
