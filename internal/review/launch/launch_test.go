package launch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/launch"
)

// TestOf: each path has its weight, by what is beside it where that decides.
func TestOf(t *testing.T) {
	t.Parallel()
	beside := map[string][]string{
		"deploy_templates.0.containers.0.env.0.name": {"E0", "LD_PRELOAD"}, "deploy_templates.0.containers.0.env.1.name": {"E1"},
		"deploy_templates.0.containers.0.env.2.name": {""}, "containers.0.envs.0.name": {"PYTHONPATH"},
		"containers.0.volumes.0.type": {"hostPath"}, "containers.0.volumes.1.type": {"emptyDir"},
	}
	texts := func(path []string) []string { return beside[strings.Join(path, ".")] }
	for path, want := range map[string]launch.Weight{
		"image": launch.Image, "image.name": launch.Image, "image.tag": launch.Tag, "image.id": launch.Tag,
		"parties.alice.app_image": launch.Image, "containers.0.image_url": launch.Image, "init_containers.0.image_url": launch.Image,
		"deploy_templates": launch.Command, "deploy_templates.0.containers.1": launch.Command, "parties.alice": launch.Command,
		"deploy_templates.0.containers.0.command.0": launch.Command, "deploy_templates.0.containers.0.command": launch.Command,
		"deploy_templates.0.containers.0.liveness_probe.exec.command.1": launch.Command, "deploy_templates.0.containers.0.args.12": launch.Arguments,
		"deploy_templates.0.containers.0.working_dir": launch.Entry, "deploy_templates.0.role": launch.Entry,
		"host_network": launch.Host, "containers.0.privileged": launch.Host, "deploy_templates.0.containers.0.security_context.capabilities.add.0": launch.Host,
		"containers.0.volumes.0.source": launch.Host, "containers.0.volumes.1.source": launch.Mount,
		"deploy_templates.0.containers.0.config_volume_mounts.0.mount_path": launch.Mount, "config_templates.command": launch.Mount,
		"deploy_templates.0.containers.0.env.0.value": launch.Loader, "deploy_templates.0.containers.0.env.0.name": launch.Loader,
		"deploy_templates.0.containers.0.env.1.value": launch.Variable, "deploy_templates.0.containers.0.env.2.value": launch.Loader,
		"deploy_templates.0.containers.0.env": launch.Loader, "deploy_templates.0.containers.0.env_from.0.config_map_ref.name": launch.Loader,
		"containers.0.envs.0.value_from.secret.name": launch.Loader, "serving_input_config": launch.Variable,
		"deploy_templates.0.replicas": launch.Rest, "parties.alice.update_strategy.type": launch.Rest, "deploy_templates.0.containers.0.name": launch.Rest,
	} {
		if got := launch.Of(strings.Split(path, "."), texts); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}

// TestOfImages: only another tag or digest is that.
func TestOfImages(t *testing.T) {
	t.Parallel()
	for images, want := range map[[2]string]launch.Weight{
		{"sf:1", "sf:2"}: launch.Tag, {"r:5000/sf", "r:5000/sf:2"}: launch.Tag, {"sf:1", "sf@sha256:0"}: launch.Tag,
		{"sf:1", "evil/sf:1"}: launch.Image, {"r:5000/sf", "r:5000/evil"}: launch.Image, {"", "sf:1"}: launch.Image, {"", ""}: launch.Image,
	} {
		if got := launch.OfImages(images[0], images[1]); got != want {
			t.Errorf("%v: %d, want %d", images, got, want)
		}
	}
}

// TestObjects: commands come before tags, and tags before other variables.
func TestObjects(t *testing.T) {
	t.Parallel()
	got := []launch.Weight{launch.Rest, launch.Tag, launch.Loader, launch.Variable, launch.Command, launch.Image}
	slices.SortFunc(got, launch.CompareObjects)
	if want := []launch.Weight{launch.Image, launch.Command, launch.Loader, launch.Tag, launch.Variable, launch.Rest}; !slices.Equal(got, want) {
		t.Errorf("the order is %v", got)
	}
	if got := launch.Heavier(launch.Tag, launch.Command); got != launch.Command {
		t.Errorf("the heavier one is %d", got)
	}
}
