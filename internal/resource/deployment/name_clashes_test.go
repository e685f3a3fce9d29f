package deployment_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// TestNameClashOfThree: a party between two whose Services would have the same names hides
// neither, although it has a port of another name.
func TestNameClashOfThree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.c.AppImages = clients.NewAppImageCache((*kuscia.Client)(nil))
	image := func(name, port string) string {
		b.c.AppImages.RecordPlanned(&kuscia.AppImage{Name: name, DeployTemplates: []kuscia.DeployTemplate{{Replicas: 1, Containers: []kuscia.Container{{
			Name: "main", Ports: []kuscia.ContainerPort{{Name: port, Scope: "Domain"}},
		}}}}})
		b.c.Objects.Record(clients.TypeAppImage, name, clients.Planned)
		return name
	}
	party := func(role, image string) tree {
		return tree{"domain_id": "alice", "app_image": image, "role": role, "service_name_prefix": b.name}
	}
	same := image(b.name+"-same", "service")
	said := b.planSays(t, b.config(tree{"parties": tree{
		"a": party("client", same), "b": party("middle", image(b.name+"-other", "other")), "c": party("server", same),
	}}, nil), b.None())
	if strings.Count(said, "Both would create ") != 1 {
		t.Errorf("the plan says %s", said)
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
