package deployment_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// names is a new run that looks for clashes of names.
func (b *bench) names(t *testing.T) {
	t.Helper()
	b.again(t)
	b.c.PlannedServings = clients.NewPlannedServings()
}

// TestNameClashes: the plan rejects the second of two resources of one run whose names
// Kuscia cannot create twice, a deployment or a serving.
func TestNameClashes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	prefix := tree{"service_name_prefix": b.name + "-svc"}
	for name, test := range map[string]struct {
		serving     *clients.PlannedServing
		first       tree
		firstParty  tree
		second      tree
		secondParty tree
		says        string
	}{
		"two names":             {first: tree{"name": b.name + "-a"}, second: tree{"name": b.name + "-b"}},
		"one name":              {says: `This name is already used by the KusciaDeployment "` + b.name},
		"the name of a serving": {serving: &clients.PlannedServing{ServingID: b.name, Creates: true}, says: `This name is already used by the serving "` + b.name},
		"one Deployment":        {firstParty: tree{"role": "server"}, second: tree{"name": b.name + "-server"}, says: "Two parties with one Deployment"},
		"one prefix":            {firstParty: prefix, second: tree{"name": b.name + "-b"}, secondParty: prefix, says: "Both would create "},
		"one prefix in a deployment": {serving: &clients.PlannedServing{ServingID: "s", Creates: true}, second: tree{"parties": tree{
			"client": tree{"domain_id": "alice", "app_image": b.name, "role": "client", "service_name_prefix": b.name},
			"server": tree{"domain_id": "alice", "app_image": b.name, "role": "server", "service_name_prefix": b.name},
		}}, says: "Both would create "},
		"the prefix of a serving": {serving: &clients.PlannedServing{ServingID: "s", Creates: true, Parties: []clients.PlannedParty{{DomainID: "alice", AppImage: b.name, DeploymentName: "s", ServicePrefix: b.name}}}, says: "Services with the same names"},
	} {
		b.names(t)
		if test.serving != nil {
			b.c.PlannedServings.Record(*test.serving)
		} else if said := b.planSays(t, b.config(test.first, test.firstParty), b.None()); said != "" {
			t.Errorf("%s: the first plan says %s", name, said)
		}
		said := b.planSays(t, b.config(test.second, test.secondParty), b.None())
		if test.says == "" && said != "" || !strings.Contains(said, test.says) || strings.Contains(said, "ERROR") != (test.says != "") {
			t.Errorf("%s: the plan says %s", name, said)
		}
	}
}

// TestNamesOfExisting: a deployment that exists does not clash with itself: after its
// create, in plans that keep it, and in a replacement on request.
func TestNamesOfExisting(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.names(t)
	config := b.config(nil, nil)
	state, _ := b.Apply(t, config, b.None())
	fast := crudtest.NewFastServer(t, served{deployment.Served}, b.c)
	// In the order of Terraform, which plans a replacement after the plan that keeps the
	// object.
	for _, test := range []struct {
		name string
		plan func() string
	}{
		{"kept", func() string { return b.planSays(t, config, state) }},
		{"kept, with shortcuts", func() string {
			response, _ := fast.Plan(t, config, state)
			return crudtest.Messages(response.Diagnostics)
		}},
		{"a replacement on request", func() string { return b.ReplacementDiagnostics(t, config, state) }},
	} {
		if said := test.plan(); said != "" {
			t.Errorf("%s: the plan says %s", test.name, said)
		}
	}
	b.names(t)
	other := b.config(tree{"name": b.name + "-b"}, tree{"service_name_prefix": b.name})
	b.Plan(t, other, b.None())
	fast = crudtest.NewFastServer(t, served{deployment.Served}, b.c)
	if response, _ := fast.Plan(t, config, state); !strings.Contains(crudtest.Messages(response.Diagnostics), "Services with the same names") {
		t.Errorf("a new one with the prefix of one that is kept: %s", crudtest.Messages(response.Diagnostics))
	}
}

// TestDeploymentOfAnother: the Deployment of a party may belong to a KusciaDeployment of
// another configuration, which has another name.
func TestDeploymentOfAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.ApplyAndVerify(t, b.config(nil, tree{"role": "server"}), b.None())
	writes := b.CountRequests()
	state, said := b.Apply(t, b.config(tree{"name": b.name + "-server"}, nil), b.None())
	if !state.Value.IsNull() || !strings.Contains(said, `a Deployment "`+b.name+`-server", which belongs to KusciaDeployment "`+b.name+`"`) || !strings.Contains(said, "Nothing was sent") {
		t.Errorf("the create says %s", said)
	}
	if err := writes.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
}

// TestLongServiceNames: a prefix and a port that are too long together for the name of a
// Service are an error.
func TestLongServiceNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	prefix := tree{"service_name_prefix": strings.Repeat("p", 48), "app_image": b.name + "-v3"}
	for port, refused := range map[string]bool{"fourteen-chars": false, "fifteen-chars-x": true} {
		b.again(t)
		b.c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
		b.c.AppImages.RecordPlanned(&kuscia.AppImage{Name: b.name + "-v3", DeployTemplates: []kuscia.DeployTemplate{{Replicas: 1, Containers: []kuscia.Container{{
			Name: "main", Ports: []kuscia.ContainerPort{{Name: port, Scope: "Domain"}, {Name: "a-local-one-ofx", Scope: "Local"}},
		}}}}})
		b.c.Objects.Record(clients.TypeAppImage, b.name+"-v3", clients.Planned)
		said := b.planSays(t, b.config(nil, prefix), b.None())
		if strings.Contains(said, "64 characters, and at most 63 are possible") != refused || strings.Contains(said, "ERROR") != refused {
			t.Errorf("%s: the plan says %s", port, said)
		}
	}
}

// TestConfigSize: an input_config with which no container can start is a warning in the
// plan that sets it, in either form.
func TestConfigSize(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const warning = "Configuration text too large for a container"
	large := `"` + strings.Repeat("s3cr3t", 30_000) + `"`
	shown, hidden := b.config(tree{"input_config": large, "wait_for_rollout": false}, nil), b.config(tree{"input_config_wo": large, "input_config_wo_version": int64(1)}, nil)
	if said := b.planSays(t, hidden, b.None()); !strings.Contains(said, warning) || strings.Contains(said, "s3cr3t") {
		t.Errorf("the write-only form: the plan says %.2000s", said)
	}
	b.again(t)
	state, said := b.Apply(t, shown, b.None())
	if !strings.Contains(said, warning) || strings.Contains(said, "s3cr3t") {
		t.Errorf("the apply says %.2000s", said)
	}
	if said := b.planSays(t, b.config(tree{"input_config": large, "labels": map[string]string{"a": "b"}}, nil), state); strings.Contains(said, warning) {
		t.Errorf("without a change of the text: the plan says %.2000s", said)
	}
}
