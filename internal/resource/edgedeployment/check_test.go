package edgedeployment

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// TestIssues_allowed: values at the documented limits are valid.
func TestIssues_allowed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 32)
	for name, config := range map[string]tree{
		"longest name":        minimal(attribute("name", long)),
		"longest name of v2":  minimal(inV2, attribute("name", long+long), container("name", long+long)),
		"group":               minimal(attribute("node_ids", nil), attribute("group_id", "g"), attribute("migration", true), attribute("toleration_seconds", int64(300))),
		"description":         minimal(attribute("description", strings.Repeat("世", 255))),
		"tags":                minimal(attribute("tags", map[string]string{strings.Repeat("k", 128): strings.Repeat("v", 256)})),
		"replicas":            minimal(attribute("replicas", int64(99))),
		"amounts":             minimal(container("resources", tree{"limits": tree{"cpu": "1000", "memory": "4Mi", "gpu": "1024000Mi", "npu": "1000"}, "requests": tree{"cpu": "10m", "memory": "10486"}})),
		"amounts of v3":       minimal(container("npu_type", "D310B"), container("resources", tree{"limits": tree{"d310": "1", "d310b": "2"}})),
		"envs":                minimal(container("envs", []any{tree{"name": "_A9", "value": ""}, tree{"name": "B", "field_path": "status.hostIP"}, tree{"name": "C", "value_from": tree{"secret": tree{"name": "s", "key": "k"}}}})),
		"last user":           minimal(container("run_as_user", int64(65534))),
		"volumes":             minimal(container("volumes", []any{tree{"name": "a1", "type": "hostPath", "source": `/a-b_c.d\e`, "destination": "/x"}, tree{"name": "b", "type": "emptyDir", "source": "memory", "destination": "/y"}, tree{"name": "c", "type": "secret", "source": "s", "destination": "/z", "default_mode": int64(256)}, tree{"name": "d", "type": "configMap", "source": "s", "destination": "/w", "read_only": true}})),
		"ports":               minimal(container("ports", []any{tree{"container_port": int64(1), "host_port": int64(65535), "host_ip": "::1"}, tree{"container_port": int64(2), "host_port_range": tree{"min_port": int64(1), "max_port": int64(2)}}})),
		"probes":              minimal(container("liveness_probe", tree{"exec": tree{"command": "true"}, "initial_delay_seconds": int64(3600), "timeout_seconds": int64(1)}), container("readiness_probe", tree{"http_get": tree{"path": "/", "port": int64(80), "scheme": "https"}})),
		"version of v2":       minimal(inV2, container("version", "1.0.0-a")),
		"long image of v3":    minimal(container("image_url", strings.Repeat("i", 3000))),
		"longest image of v2": minimal(inV2, container("image_url", strings.Repeat("i", 2083))),
		"source of examples":  minimal(attribute("source", "userdefine")),
	} {
		if found := issues(configured(config)); len(found) > 0 {
			t.Errorf("%s:\n%s", name, joined(found))
		}
	}
}

// TestIssues: every rule of the documents' tables, with the path and what is
// allowed.
func TestIssues(t *testing.T) {
	t.Parallel()
	env := func(fields tree) func(tree) { return container("envs", []any{fields}) }
	volume := func(fields tree) func(tree) {
		all := tree{"name": "v", "type": "hostPath", "source": "/s", "destination": "/d"}
		for name, value := range fields {
			all[name] = value
		}
		return container("volumes", []any{all})
	}
	port := func(fields tree) func(tree) {
		all := tree{"container_port": int64(80)}
		for name, value := range fields {
			all[name] = value
		}
		return container("ports", []any{all})
	}
	limits := func(fields tree) func(tree) { return container("resources", tree{"limits": fields}) }
	requests := func(fields tree) func(tree) { return container("resources", tree{"requests": fields}) }
	probe := func(fields tree) func(tree) { return container("liveness_probe", fields) }
	tests := map[string]struct {
		config   tree
		at, want string
	}{
		"version":                      {minimal(attribute("api_version", "v1")), "api_version", `"v3" or "v2"`},
		"name, upper case":             {minimal(attribute("name", "Lite")), "name", "lower-case"},
		"name, too long":               {minimal(attribute("name", strings.Repeat("a", 33))), "name", "at most 32"},
		"name of v2, too long":         {minimal(inV2, attribute("name", strings.Repeat("a", 65))), "name", "at most 64"},
		"name, end":                    {minimal(attribute("name", "a-")), "name", "at both ends"},
		"description, too long":        {minimal(attribute("description", strings.Repeat("a", 256))), "description", "IEF allows at most 255"},
		"description, character":       {minimal(attribute("description", "a&b")), "description", `"&"`},
		"two nodes":                    {minimal(attribute("node_ids", []string{"a", "b"})), "node_ids", "exactly one edge node"},
		"empty node":                   {minimal(attribute("node_ids", []string{""})), "node_ids[0]", "must not be empty"},
		"no place":                     {minimal(attribute("node_ids", nil)), "node_ids", "group_id"},
		"two places":                   {minimal(attribute("group_id", "g")), "group_id", "keep one"},
		"replicas, none":               {minimal(attribute("replicas", int64(0))), "replicas", "1 to 99"},
		"replicas, many":               {minimal(attribute("replicas", int64(100))), "replicas", "1 to 99"},
		"replicas of v2":               {minimal(inV2, attribute("replicas", int64(2))), "replicas", "exactly one instance"},
		"tag key":                      {minimal(attribute("tags", map[string]string{"a b": "c"})), `tags["a b"]`, "1 to 128"},
		"tag value":                    {minimal(attribute("tags", map[string]string{"a": ""})), `tags["a"]`, "1 to 256"},
		"tags of v2":                   {minimal(inV2, attribute("tags", map[string]string{"a": "b"})), "tags", "version v3"},
		"annotations of v2":            {minimal(inV2, attribute("annotations", tree{"autonomy_edge_selector": "g"})), "annotations", "version v3"},
		"ring controller":              {minimal(attribute("annotations", tree{"ring_controller": "x"})), "annotations.ring_controller", "ascend-1980"},
		"source":                       {minimal(attribute("source", "x")), "source", "userdefined"},
		"source of v2":                 {minimal(inV2, attribute("source", "iem")), "source", "version v3"},
		"instance":                     {minimal(attribute("instance_id", "a/b")), "instance_id", "letters"},
		"restart policy":               {minimal(attribute("restart_policy", "Onfailure")), "restart_policy", "OnFailure"},
		"DNS with host network":        {minimal(attribute("host_network", true), attribute("dns_policy", "ClusterFirst")), "dns_policy", "ClusterFirstWithHostNet"},
		"DNS without host network":     {minimal(attribute("dns_policy", "ClusterFirstWithHostNet")), "dns_policy", `"ClusterFirst"`},
		"toleration":                   {minimal(attribute("toleration_seconds", int64(-1))), "toleration_seconds", "below 0"},
		"affinity, no JSON":            {minimal(attribute("affinity", "x")), "affinity", "jsonencode"},
		"affinity of v2":               {minimal(inV2, attribute("affinity", `{"nodeAffinity":{}}`)), "affinity", "version v3"},
		"no container":                 {minimal(attribute("containers", []any{})), "containers", "at least one"},
		"two containers of v2":         {minimal(inV2, attribute("containers", []any{tree{"name": "a", "image_url": "a"}, tree{"name": "b", "image_url": "b"}})), "containers", "exactly one"},
		"init container of v2":         {minimal(inV2, attribute("init_containers", []any{tree{"name": "b", "image_url": "b"}})), "init_containers", "version v3"},
		"container name":               {minimal(container("name", "A")), "containers[0].name", "lower-case"},
		"container name twice":         {minimal(attribute("init_containers", []any{tree{"name": "app", "image_url": "b"}})), "init_containers[0].name", "unique"},
		"no image":                     {minimal(container("image_url", "")), "containers[0].image_url", "must not be empty"},
		"image of v2":                  {minimal(inV2, container("image_url", strings.Repeat("i", 2084))), "containers[0].image_url", "2083"},
		"image with a space":           {minimal(container("image_url", "a b")), "containers[0].image_url", "white space"},
		"version of v2, form":          {minimal(inV2, container("version", "V1")), "containers[0].version", "64 lower-case"},
		"long command":                 {minimal(container("command", []string{strings.Repeat("c", 65530), "1234567"})), "containers[0].command", "65536"},
		"long args":                    {minimal(container("args", []string{strings.Repeat("c", 65537)})), "containers[0].args", "65536"},
		"user":                         {minimal(container("run_as_user", int64(65535))), "containers[0].run_as_user", "0 to 65534"},
		"npu type":                     {minimal(container("npu_type", "D910")), "containers[0].npu_type", "D310B"},
		"npu type of v2":               {minimal(inV2, container("npu_type", "D310")), "containers[0].npu_type", "version v3"},
		"cpu, small":                   {minimal(limits(tree{"cpu": "9m"})), "containers[0].resources.limits.cpu", "0.01 to 1000"},
		"cpu, much":                    {minimal(limits(tree{"cpu": "1001"})), "containers[0].resources.limits.cpu", "0.01 to 1000"},
		"cpu, no quantity":             {minimal(limits(tree{"cpu": "one"})), "containers[0].resources.limits.cpu", "Kubernetes quantity"},
		"cpu, endless":                 {minimal(limits(tree{"cpu": "1e99999999"})), "containers[0].resources.limits.cpu", "Kubernetes quantity"},
		"memory without unit":          {minimal(limits(tree{"memory": "512"})), "containers[0].resources.limits.memory", `such as "512Mi"`},
		"memory limit":                 {minimal(limits(tree{"memory": "3Mi"})), "containers[0].resources.limits.memory", "4Mi to 1024000Mi"},
		"memory request":               {minimal(requests(tree{"memory": "10Ki"})), "containers[0].resources.requests.memory", "0.01Mi to"},
		"gpu":                          {minimal(limits(tree{"gpu": "1024001Mi"})), "containers[0].resources.limits.gpu", "1024000Mi"},
		"npu, fraction":                {minimal(limits(tree{"npu": "1.5"})), "containers[0].resources.limits.npu", "whole number"},
		"npu, none":                    {minimal(limits(tree{"npu": "0"})), "containers[0].resources.limits.npu", "1 to 1000"},
		"D310 of v2":                   {minimal(inV2, limits(tree{"d310": "1"})), "containers[0].resources.limits.d310", "version v3"},
		"variable, name":               {minimal(env(tree{"name": "1A", "value": ""})), "containers[0].envs[0].name", "begin with a digit"},
		"variable, long name":          {minimal(env(tree{"name": strings.Repeat("A", 2049), "value": ""})), "containers[0].envs[0].name", "2048"},
		"variable twice":               {minimal(container("envs", []any{tree{"name": "A", "value": ""}, tree{"name": "A", "value": ""}})), "containers[0].envs[1].name", "set twice"},
		"variable, no source":          {minimal(env(tree{"name": "A"})), "containers[0].envs[0]", "exactly one of value, value_from and field_path, and has 0"},
		"variable, two sources":        {minimal(env(tree{"name": "A", "value": "", "field_path": "status.hostIP"})), "containers[0].envs[0]", "has 2"},
		"variable, long value":         {minimal(env(tree{"name": "A", "value": strings.Repeat("v", 20481)})), "containers[0].envs[0].value", "20480"},
		"variable, field":              {minimal(env(tree{"name": "A", "field_path": "metadata.name"})), "containers[0].envs[0].field_path", "status.hostIP"},
		"variable, two references":     {minimal(env(tree{"name": "A", "value_from": tree{"secret": tree{"name": "s", "key": "k"}, "configmap": tree{"name": "s", "key": "k"}}})), "containers[0].envs[0].value_from", "exactly one of secret and configmap"},
		"variable, no reference":       {minimal(env(tree{"name": "A", "value_from": tree{}})), "containers[0].envs[0].value_from", "exactly one"},
		"variable, empty reference":    {minimal(env(tree{"name": "A", "value_from": tree{"secret": tree{"name": "", "key": "k"}}})), "containers[0].envs[0].value_from.secret.name", "not be empty"},
		"volume, name":                 {minimal(volume(tree{"name": "a-b"})), "containers[0].volumes[0].name", "lower-case letters and digits"},
		"volume, long name":            {minimal(volume(tree{"name": strings.Repeat("a", 64)})), "containers[0].volumes[0].name", "1 to 63"},
		"volume, type":                 {minimal(volume(tree{"type": "nfs"})), "containers[0].volumes[0].type", "emptyDir"},
		"volume, host path":            {minimal(volume(tree{"source": "a"})), "containers[0].volumes[0].source", "begin with /"},
		"volume, empty directory":      {minimal(volume(tree{"type": "emptyDir", "source": "/x"})), "containers[0].volumes[0].source", `"disk" or "memory"`},
		"volume, no secret":            {minimal(volume(tree{"type": "secret", "source": ""})), "containers[0].volumes[0].source", "not be empty"},
		"volume, destination":          {minimal(volume(tree{"destination": "d"})), "containers[0].volumes[0].destination", "begin with / and contain no colon"},
		"volume, writable secret":      {minimal(volume(tree{"type": "secret", "read_only": false})), "containers[0].volumes[0].read_only", "volume is read-only"},
		"volume, mode of a host path":  {minimal(volume(tree{"default_mode": int64(256)})), "containers[0].volumes[0].default_mode", "does not apply"},
		"source, empty":                {minimal(attribute("source", "")), "source", "is not allowed; use"},
		"volume, no mode":              {minimal(volume(tree{"type": "secret", "default_mode": int64(0)})), "containers[0].volumes[0].default_mode", "outside 1 to 511"},
		"volume, octal mode":           {minimal(volume(tree{"type": "secret", "default_mode": int64(644)})), "containers[0].volumes[0].default_mode", "0644 is 420"},
		"port":                         {minimal(port(tree{"container_port": int64(0)})), "containers[0].ports[0].container_port", "1 to 65535"},
		"host port":                    {minimal(port(tree{"host_port": int64(65536)})), "containers[0].ports[0].host_port", "1 to 65535"},
		"host address":                 {minimal(port(tree{"host_ip": "node"})), "containers[0].ports[0].host_ip", "IP address"},
		"range, empty":                 {minimal(port(tree{"host_port_range": tree{"min_port": int64(2), "max_port": int64(2)}})), "containers[0].ports[0].host_port_range.max_port", "above min_port"},
		"range and port":               {minimal(port(tree{"host_port": int64(1), "host_port_range": tree{"min_port": int64(1), "max_port": int64(2)}})), "containers[0].ports[0].host_port_range", "keep one"},
		"range of v2":                  {minimal(inV2, port(tree{"host_port_range": tree{"min_port": int64(1), "max_port": int64(2)}})), "containers[0].ports[0].host_port_range", "version v3"},
		"probe without handler":        {minimal(probe(tree{})), "containers[0].liveness_probe", "exactly one of exec and http_get"},
		"probe with two handlers":      {minimal(probe(tree{"exec": tree{"command": "x"}, "http_get": tree{"path": "/", "port": int64(1)}})), "containers[0].liveness_probe", "exactly one"},
		"probe, delay":                 {minimal(probe(tree{"exec": tree{"command": "x"}, "initial_delay_seconds": int64(0)})), "containers[0].liveness_probe.initial_delay_seconds", "1 to 3600"},
		"probe, timeout":               {minimal(probe(tree{"exec": tree{"command": "x"}, "timeout_seconds": int64(3601)})), "containers[0].liveness_probe.timeout_seconds", "1 to 3600"},
		"probe, empty command":         {minimal(probe(tree{"exec": tree{"command": ""}})), "containers[0].liveness_probe.exec.command", "1 to 10240"},
		"probe, long command":          {minimal(probe(tree{"exec": tree{"command": strings.Repeat("c", 10241)}})), "containers[0].liveness_probe.exec.command", "1 to 10240"},
		"probe, path":                  {minimal(probe(tree{"http_get": tree{"path": "x", "port": int64(1)}})), "containers[0].liveness_probe.http_get.path", "begin with /"},
		"probe, port":                  {minimal(probe(tree{"http_get": tree{"path": "/", "port": int64(0)}})), "containers[0].liveness_probe.http_get.port", "1 to 65535"},
		"probe, scheme":                {minimal(probe(tree{"http_get": tree{"path": "/", "port": int64(1), "scheme": "TCP"}})), "containers[0].liveness_probe.http_get.scheme", "HTTPS"},
		"timeout, no duration":         {minimal(attribute("timeouts", tree{"create": "20"})), "timeouts.create", "unit"},
		"timeout, below zero":          {minimal(attribute("timeouts", tree{"delete": "-5m"})), "timeouts.delete", "is not positive"},
		"number, too big":              {minimal(attribute("replicas", int64(1)<<40)), "replicas", "whole number"},
		"a second container is tested": {minimal(attribute("containers", []any{tree{"name": "a", "image_url": "a"}, tree{"name": "B", "image_url": "b"}})), "containers[1].name", "lower-case"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := issues(configured(test.config))
			if len(found) != 1 || found[0].At.String() != test.at || !strings.Contains(check.WithPath(found[0].At, found[0].Detail), test.want) {
				t.Errorf("%d issues, want one on %s with %q:\n%s", len(found), test.at, test.want, joined(found))
			}
		})
	}
}

// TestIssues_unknown: the known values beside an unknown one are checked.
func TestIssues_unknown(t *testing.T) {
	t.Parallel()
	bad := edgeDeployment.Definition.With(configured(minimal(attribute("replicas", int64(0)))), map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
	if found := issues(bad); len(found) != 1 {
		t.Errorf("%d issues, want that of replicas:\n%s", len(found), joined(found))
	}
	null := edgeDeployment.Definition.With(configured(minimal()), map[string]tftypes.Value{"node_ids": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{tftypes.NewValue(tftypes.String, nil)})})
	if found := issues(null); len(found) != 1 || !strings.Contains(joined(found), "Null element") {
		t.Errorf("null element:\n%s", joined(found))
	}
}
