package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The observers here compare what is stored in the cluster.

// plain is the JSON of a value without what is empty.
func plain(value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var tree any
	err = json.Unmarshal(text, &tree)
	return withoutEmpty(tree), err
}

func withoutEmpty(tree any) any {
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			tree[i] = withoutEmpty(tree[i])
		}
	case map[string]any:
		for name, value := range tree {
			value = withoutEmpty(value)
			tree[name] = value
			list, isList := value.([]any)
			fields, isMap := value.(map[string]any)
			if value == nil || value == "" || isList && len(list) == 0 || isMap && len(fields) == 0 {
				delete(tree, name)
			}
		}
	}
	return tree
}

// contains reports what a recorded object, in which the API server has set its
// defaults, does not have of another one.
func contains(recorded, have any, path string) error {
	switch have := have.(type) {
	case map[string]any:
		fields, _ := recorded.(map[string]any)
		for name, value := range have {
			if err := contains(fields[name], value, path+"."+name); err != nil {
				return err
			}
		}
		return nil
	case []any:
		list, _ := recorded.([]any)
		if len(list) != len(have) {
			return fmt.Errorf("%s is %v, recorded %v", path, have, recorded)
		}
		for i := range have {
			if err := contains(list[i], have[i], fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(recorded, have) {
		return fmt.Errorf("%s is %v, recorded %v", path, have, recorded)
	}
	return nil
}

func (r *replay) sameStored(stored any, item transcriptItem) error {
	have, err := plain(stored)
	if err != nil {
		return err
	}
	want, err := plain(item.Observed)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(have, want) {
		return fmt.Errorf("stored %v, recorded %v", have, want)
	}
	return nil
}

func (r *replay) observeStoredImage(item transcriptItem) error {
	defer r.controlPlane.Acquire()()
	image, err := appimage.Of(r.controlPlane).Find(r.lastName)
	if err != nil {
		return err
	}
	return r.sameStored(image.Object.Spec, item)
}

func (r *replay) observeStoredServing(item transcriptItem) error {
	kd, err := r.master.KusciaDeployment("serving-1")
	if err != nil {
		return err
	}
	return r.sameStored(struct {
		Spec objects.KusciaDeploymentSpec `json:"spec"`
	}{kd.Spec}, item)
}

var numbers = regexp.MustCompile(`\b[23]\d{4}\b`)

// variables are environment variables in which port numbers are 0 and lists are sorted,
// since a real server takes their order from maps.
func variables(env []objects.EnvVar) ([]string, error) {
	list := make([]string, len(env))
	for i, one := range env {
		value := numbers.ReplaceAllString(one.Value, "0")
		if one.Name == "CLUSTER_DEFINE" || one.Name == "ALLOCATED_PORTS" {
			var tree any
			if err := json.Unmarshal([]byte(value), &tree); err != nil {
				return nil, err
			}
			sortLists(tree)
			value = fmt.Sprint(tree)
		}
		list[i] = one.Name + "=" + value
	}
	slices.Sort(list)
	return list, nil
}

func sortLists(tree any) {
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			sortLists(tree[i])
		}
		slices.SortFunc(tree, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	case map[string]any:
		for _, value := range tree {
			sortLists(value)
		}
	}
}

func sameVariables(have, recorded []objects.EnvVar) error {
	ours, err := variables(have)
	if err != nil {
		return err
	}
	theirs, err := variables(recorded)
	if err != nil {
		return err
	}
	if !slices.Equal(ours, theirs) {
		return fmt.Errorf("variables\n%s\nrecorded\n%s", strings.Join(ours, "\n"), strings.Join(theirs, "\n"))
	}
	return nil
}

func (r *replay) observeContainer(item transcriptItem) error {
	d, err := r.master.Deployment("serving-1", "alice", "")
	if err != nil {
		return err
	}
	var recorded objects.PodContainer
	if err := json.Unmarshal(item.Observed, &recorded); err != nil {
		return err
	}
	container := d.Spec.Template.Spec.Containers[0]
	if err := sameVariables(container.Env, recorded.Env); err != nil {
		return err
	}
	container.Env, container.Ports = nil, nil
	have, err := plain(container)
	if err != nil {
		return err
	}
	want, err := plain(item.Observed)
	if err != nil {
		return err
	}
	return contains(want, have, "container")
}

func (r *replay) observeVariables(item transcriptItem) error {
	var lines []string
	if err := json.Unmarshal(item.Observed, &lines); err != nil {
		return err
	}
	recorded := make([]objects.EnvVar, len(lines))
	for i, line := range lines {
		recorded[i].Name, recorded[i].Value, _ = strings.Cut(line, "=")
	}
	d, err := r.deployment()
	if err != nil {
		return err
	}
	return sameVariables(d.Spec.Template.Spec.Containers[0].Env, recorded)
}

// observeObjects compares a print of kubectl: Deployments with their number of pods,
// ReplicaSets and pods by their Deployment, Services and ConfigMaps.
func (r *replay) observeObjects(item transcriptItem) error {
	var lines, want []string
	if err := json.Unmarshal(item.Observed, &lines); err != nil {
		return err
	}
	id := ""
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] == "NAMESPACE" {
			continue
		}
		kind, name, _ := strings.Cut(fields[1], "/")
		switch kind {
		case "deployment.apps":
			id, name = name, name+" "+fields[2]
		case "replicaset.apps", "pod":
			name = id
		}
		want = append(want, fmt.Sprint(fields[0], " ", kind, " ", name))
	}
	withSets := strings.Contains(string(item.Observed), "replicaset.apps")
	have, err := r.printed(id, withSets)
	if err != nil {
		return err
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		return fmt.Errorf("objects\n%s\nrecorded\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	return nil
}

// printed are the objects of a serving in memory.
func (r *replay) printed(id string, withSets bool) ([]string, error) {
	defer r.controlPlane.Acquire()()
	w := serving.Of(r.controlPlane).Memory()
	var have []string
	deployments, services, configMaps := w.All()
	for _, d := range deployments {
		if d.Meta.Name != id {
			continue
		}
		have = append(have, fmt.Sprintf("%s deployment.apps %s %d/%d", d.Meta.Namespace, id, d.Status.AvailableReplicas, d.Spec.Pods()))
		for _, set := range d.Workload.Sets {
			if withSets {
				have = append(have, fmt.Sprintf("%s replicaset.apps %s", d.Meta.Namespace, id))
			}
			for range set.Pods {
				have = append(have, fmt.Sprintf("%s pod %s", d.Meta.Namespace, id))
			}
		}
	}
	for _, s := range services {
		if s.Meta.Labels[objects.LabelName] == id {
			have = append(have, fmt.Sprintf("%s service %s", s.Meta.Namespace, s.Meta.Name))
		}
	}
	for _, m := range configMaps {
		if m.Meta.Labels[objects.LabelName] == id {
			have = append(have, fmt.Sprintf("%s configmap %s", m.Meta.Namespace, m.Meta.Name))
		}
	}
	return have, nil
}
