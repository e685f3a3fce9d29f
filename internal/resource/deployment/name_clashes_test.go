package deployment_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
)

// planned is an app image of the same plan with ports for the whole domain.
func (b *bench) planned(suffix string, ports ...string) string {
	image, container := &kuscia.AppImage{Name: b.name + suffix}, kuscia.Container{Name: "main"}
	for _, port := range ports {
		container.Ports = append(container.Ports, kuscia.ContainerPort{Name: port, Scope: "Domain"})
	}
	image.DeployTemplates = []kuscia.DeployTemplate{{Replicas: 1, Containers: []kuscia.Container{container}}}
	b.c.AppImages.RecordPlanned(image)
	b.c.Objects.Record(run.TypeAppImage, image.Name, run.Planned)
	return image.Name
}

// TestServiceNames: a party between two whose Services would have the same names hides neither,
// although it has a port of another name. A prefix and a port that are too long together for
// the name of a Service are an error.
func TestServiceNames(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
	party := func(role, image string) tree {
		return tree{"domain_id": "alice", "app_image": image, "role": role, "service_name_prefix": b.name}
	}
	same, other := b.planned("-same", "service"), b.planned("-other", "other")
	said := b.planSays(t, b.config(tree{"parties": tree{"a": party("client", same), "b": party("middle", other), "c": party("server", same)}}, nil), b.None())
	if strings.Count(said, "Both would create ") != 1 {
		t.Errorf("the plan says %s", said)
	}
	for port, refused := range map[string]bool{"fourteen-chars": false, "fifteen-chars-x": true} {
		b.again(t)
		b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
		said := b.planSays(t, b.config(nil, tree{"service_name_prefix": strings.Repeat("p", 48), "app_image": b.planned("-v3", port)}), b.None())
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
