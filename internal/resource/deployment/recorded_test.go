package deployment

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// recordedCase is a KusciaDeployment that was sent to a real cluster, with the
// result.
type recordedCase struct {
	Case     string `json:"case"`
	HTTP     int    `json:"http"`
	Timeline []struct {
		Phase string `json:"phase"`
	} `json:"timeline"`
}

// runs reports whether its pods ran.
func (c recordedCase) runs() bool {
	return c.HTTP == 201 && len(c.Timeline) > 0 && c.Timeline[len(c.Timeline)-1].Phase == "Available"
}

// recordedConfigs are the recorded cases as configurations, without those that only a request to the
// cluster (TestMissingObjects) or the pods (TestKilledUpdate) show, that a retry ends, or that
// Terraform's types exclude.
var recordedConfigs = map[string]tree{
	"minimal ok":                            valid(),
	"initiator not a party":                 valid(top(attrInitiator, "bob")),
	"initiator empty":                       valid(top(attrInitiator, "")),
	"party without domainID":                valid(of(attrDomainID, "")),
	"party without appImageRef":             valid(of(attrAppImage, "")),
	"inputConfig missing":                   valid(),
	`inputConfig ""`:                        valid(top(attrInputConfig, "")),
	"parties []":                            valid(top(attrParties, tree{})),
	"same domain twice":                     valid(second(tree{attrDomainID: "alice", attrAppImage: "v1"})),
	"same domain, two images":               valid(second(tree{attrDomainID: "alice", attrAppImage: "v2"})),
	"strategy type Foo":                     valid(of(attrStrategy, tree{"type": "Foo"})),
	"strategy {}":                           valid(of(attrStrategy, tree{})),
	"maxSurge abc":                          valid(of(attrStrategy, tree{"max_surge": "abc"})),
	"0/0":                                   valid(of(attrStrategy, tree{"max_surge": "0", "max_unavailable": "0"})),
	"Recreate + rollingUpdate":              valid(of(attrStrategy, tree{"type": "Recreate", "max_surge": "1"})),
	"Recreate ok":                           valid(of(attrStrategy, tree{"type": "Recreate"})),
	"maxSurge only 50%":                     valid(of(attrStrategy, tree{"max_surge": "50%"})),
	"requests 0.1/1000m limits 1.50/2048Mi": valid(amountsOf(map[string]string{"cpu": "0.1", "memory": "1024Mi"}, map[string]string{"cpu": "1.50", "memory": "2048Mi"})),
	"requests > limits":                     valid(amountsOf(map[string]string{"cpu": "2"}, map[string]string{"cpu": "1"})),
	"bad quantity":                          valid(amountsOf(map[string]string{"cpu": "abc"}, nil)),
	"cpu integer 1":                         valid(amountsOf(map[string]string{"cpu": "1"}, nil)),
	"unknown resource foo":                  valid(amountsOf(map[string]string{"foo": "1"}, nil)),
	"negative cpu":                          valid(amountsOf(map[string]string{"cpu": "-1"}, nil)),
	"container without name":                valid(of(attrContainers, tree{"": tree{}})),
	"replicas -1":                           valid(of(attrReplicas, -1)),
	"replicas 0":                            valid(of(attrReplicas, 0)),
	"template {}":                           valid(),
	"template.spec without containers":      valid(of(attrContainers, tree{})),
	"serviceNamePrefix ok":                  valid(of(attrPrefix, "kr-pre")),
	"serviceNamePrefix bad":                 valid(of(attrPrefix, "1_X")),
	"serviceNamePrefix 60":                  valid(of(attrPrefix, strings.Repeat("a", 60))),
	"affinityMode xyz":                      valid(top(attrAffinityMode, "xyz")),
	"name with a dot":                       valid(top(attrName, "kr-k-a.dot")),
	"name kr-K.. len 4":                     valid(top(attrName, "kr-K")),
	"name kr-aaaaa.. len 64":                valid(top(attrName, "kr-"+strings.Repeat("a", 61))),
	"name kr-bbbbb.. len 61":                valid(top(attrName, "kr-"+strings.Repeat("b", 58))),
	"name kr-ccccc.. len 254":               valid(top(attrName, "kr-"+strings.Repeat("c", 251))),
	"two parties ok":                        valid(second(tree{attrDomainID: "bob", attrAppImage: "v1"})),
}

// recordedCases are all recorded cases.
func recordedCases(t *testing.T) (all []recordedCase) {
	t.Helper()
	for _, file := range []string{"5-kd-crd-updates.json", "5-kd-crd-cases.json"} {
		all = append(all, testfile.JSON[[]recordedCase](t, "../../testing/kubetest/testdata/transcripts/"+file)...)
	}
	return all
}

// TestRecordedDeployments: the checks report every recorded configuration that
// the real Kuscia rejected, gave up or never ran, and none that ran.
func TestRecordedDeployments(t *testing.T) {
	t.Parallel()
	checked, others := map[string]bool{}, map[string]bool{}
	for _, recorded := range recordedCases(t) {
		config, has := recordedConfigs[recorded.Case]
		switch {
		case checked[recorded.Case] || strings.HasPrefix(recorded.Case, "UPDATE ") || strings.HasPrefix(recorded.Case, "app"): // updates, and TestRecordedAppImages
		case !has:
			others[recorded.Case] = true
		default:
			checked[recorded.Case] = true
			found := issues(kusciaDeployment.Definition.Encode(config))
			fine := recorded.runs()
			switch recorded.Case {
			case "inputConfig missing": // it is always sent
				fine = true
			case "parties []": // Available, and nothing runs
				fine = false
			}
			if fine != (len(found) == 0) {
				t.Errorf("%s: came to run: %t; found %v", recorded.Case, fine, found)
			}
		}
	}
	if len(checked) != len(recordedConfigs) || len(others) != 22 {
		t.Errorf("%d of %d configurations belong to a recorded case, and %d cases have none: %v", len(checked), len(recordedConfigs), len(others), others)
	}
}

// TestRecordedAppImages: the plan reports the app images with which the real Kuscia
// created no deployment, and no other.
func TestRecordedAppImages(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, recorded := range recordedCases(t) {
		change, is := strings.CutPrefix(recorded.Case, "app image ")
		if !is {
			continue
		}
		checked++
		container := protocol.With(tree{"name": "main", "workingDir": "/work"}, testjson.Decode[tree](t, change))
		objects := clusterObjects{
			isPlanned: func(kube.Kind, string) bool { return false },
			version:   func() versions.Version { return versions.Version{} },
			get: func(kind kube.Kind, name string) (*unstructured.Unstructured, error) {
				return &unstructured.Unstructured{Object: map[string]any{
					"metadata": map[string]any{"name": name},
					"spec":     map[string]any{"deployTemplates": []any{map[string]any{"name": "app", "spec": map[string]any{"containers": []any{container}}}}},
				}}, nil
			},
		}
		var diags diag.Diagnostics
		preflight(reader(kusciaDeployment.Definition.Encode(valid())), objects, &diags)
		if diags.HasError() == recorded.runs() {
			t.Errorf("%s: came to run: %t; found %v", recorded.Case, recorded.runs(), diags)
		}
	}
	if checked < 8 {
		t.Errorf("only %d app images are recorded", checked)
	}
}
