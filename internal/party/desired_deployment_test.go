package party

import (
	"reflect"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// TestChangedTo: the KusciaAPI replaces CPU and memory, and keeps what it does not carry.
func TestChangedTo(t *testing.T) {
	t.Parallel()
	type amounts = map[string]kube.IntOrString
	container := func(name string, requests, limits amounts) kube.PartyContainer {
		return kube.PartyContainer{Name: name, Resources: kube.Resources{Requests: requests, Limits: limits}}
	}
	before := &Applied{Image: "old:1", Containers: []kube.PartyContainer{
		container("serving", amounts{"cpu": "1", "memory": "1Gi", "ephemeral-storage": "2Gi"}, nil),
		container("gone", nil, amounts{"cpu": "9"}),
	}}
	after := &Applied{Image: "new:2", Containers: []kube.PartyContainer{
		container("added", amounts{"cpu": "4"}, nil),
		container("serving", amounts{"cpu": "2"}, amounts{"memory": "3Gi"}),
	}}
	want := &Applied{Image: "new:2", Containers: []kube.PartyContainer{
		container("added", amounts{"cpu": "4"}, nil),
		container("serving", amounts{"cpu": "2", "ephemeral-storage": "2Gi"}, amounts{"memory": "3Gi"}),
	}}
	if got := before.ChangedTo(after); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if len(before.Containers[0].Resources.Requests) != 3 {
		t.Error("what was before has changed")
	}
}
