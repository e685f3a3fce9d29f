package acctest

import (
	"context"
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/appimage"
)

// appImages keeps the app images of a sandbox in a Kubernetes API, which is where a
// KusciaAPI has them. As there, an update replaces the deploy templates with all
// that the KusciaAPI does not know of, or leaves them as they are.
type appImages struct {
	*servings
	// mine are the images of the sandbox, with the version that it shows.
	mine map[string]int64
}

// Stored implements appimage.Cluster.
func (s *appImages) Stored(image kuscia.AppImage, templates bool) int64 {
	object := appImageOf(&image)
	var stored *unstructured.Unstructured
	var err error
	if templates {
		stored, err = s.put(KubeAppImages, object)
	} else {
		spec, _, _ := unstructured.NestedMap(object.Object, "spec")
		stored, err = s.patch(KubeAppImages, object, map[string]any{"op": "replace", "path": "/spec/image", "value": spec["image"]},
			map[string]any{"op": "add", "path": "/spec/configTemplates", "value": spec["configTemplates"]})
	}
	s.report(err)
	if err != nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mine[image.Name] = versionOf(stored)
	return s.mine[image.Name]
}

// Removed implements appimage.Cluster.
func (s *appImages) Removed(name string) {
	s.mu.Lock()
	delete(s.mine, name)
	s.mu.Unlock()
	if err := s.kube.client(KubeAppImages, "").Delete(context.WithoutCancel(s.ctx), name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
		s.report(err)
	}
}

// show copies the changes that others make in the cluster.
func (s *appImages) show() {
	list, err := s.kube.client(KubeAppImages, "").List(s.ctx, metav1.ListOptions{})
	if err != nil {
		s.report(err)
		return
	}
	s.mu.Lock()
	shown := maps.Clone(s.mine)
	s.mu.Unlock()
	for i := range list.Items {
		item := &list.Items[i]
		version := versionOf(item)
		if known, mine := shown[item.GetName()]; !mine || known >= version {
			continue
		}
		image, err := imageFrom(item)
		if err == nil {
			err = s.env.Sandbox.ShowAppImage(image, version)
		}
		s.report(err)
	}
}

func (s *appImages) clean() {
	ctx, cancel := outOfBand()
	defer cancel()
	for name := range s.mine {
		_ = s.kube.client(KubeAppImages, "").Delete(ctx, name, metav1.DeleteOptions{})
	}
}

func versionOf(object *unstructured.Unstructured) int64 {
	version, _ := strconv.ParseInt(object.GetResourceVersion(), 10, 64)
	return version
}

// appImageOf is the AppImage that the KusciaAPI writes.
func appImageOf(image *kuscia.AppImage) *unstructured.Unstructured {
	type object = map[string]any
	templates := []any{}
	for _, t := range image.DeployTemplates {
		containers, _ := renamed(decoded(t.Containers), toCamelCase).([]any)
		for i := range containers {
			containers[i].(object)["workingDir"] = t.Containers[i].WorkingDir //nolint:forcetypeassert // an object for each container
		}
		template := object{"name": t.Name, "replicas": int64(t.Replicas), "spec": object{"containers": containers}}
		if t.Role != "" {
			template["role"] = t.Role
		}
		if t.RestartPolicy != "" {
			template["spec"].(object)["restartPolicy"] = t.RestartPolicy //nolint:forcetypeassert // made above
		}
		templates = append(templates, template)
	}
	texts := object{}
	for name, text := range image.ConfigTemplates {
		texts[name] = text
	}
	return &unstructured.Unstructured{Object: object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "AppImage", "metadata": object{"name": image.Name}, "spec": object{
			"image":           object{"name": image.Image.Name, "tag": image.Image.Tag, "id": image.Image.ID, "sign": image.Image.Sign},
			"deployTemplates": templates, "configTemplates": texts,
		},
	}}
}

// imageFrom is what the KusciaAPI returns for an AppImage.
func imageFrom(object *unstructured.Unstructured) (kuscia.AppImage, error) {
	var read struct {
		Spec struct {
			Image           kuscia.AppImageInfo
			ConfigTemplates map[string]string
			DeployTemplates []struct {
				Name, Role string
				Replicas   int32
				Spec       struct {
					RestartPolicy string
					Containers    []any
				}
			}
		}
	}
	text, err := object.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	image := kuscia.AppImage{Name: object.GetName(), Image: read.Spec.Image, ConfigTemplates: read.Spec.ConfigTemplates}
	for _, t := range read.Spec.DeployTemplates {
		template := kuscia.DeployTemplate{Name: t.Name, Role: t.Role, Replicas: t.Replicas, RestartPolicy: t.Spec.RestartPolicy}
		text, encodeErr := json.Marshal(renamed(t.Spec.Containers, toSnakeCase))
		if err == nil {
			err = encodeErr
		}
		if err == nil {
			err = json.Unmarshal(text, &template.Containers)
		}
		image.DeployTemplates = append(image.DeployTemplates, template)
	}
	return image, err
}

func decoded(v any) (tree any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		panic(err)
	}
	return tree
}

// renamed renames the fields of a tree, and leaves out those that are not set. A
// number as the port of a probe is "" in the KusciaAPI.
func renamed(tree any, rename func(string) string) any {
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			tree[i] = renamed(tree[i], rename)
		}
	case map[string]any:
		out := map[string]any{}
		for name, value := range tree {
			next := rename(name)
			list, isList := value.([]any)
			_, isNumber := value.(float64)
			switch {
			case value == nil, value == "", isList && len(list) == 0, value == 0.0:
			case (name == "httpGet" || name == "tcpSocket"):
				probe, _ := renamed(value, rename).(map[string]any)
				if _, isNumber := probe["port"].(int64); isNumber {
					delete(probe, "port")
				}
				out[next] = probe
			case name == "termination_grace_period_seconds":
				if seconds, _ := strconv.ParseInt(value.(string), 10, 64); seconds != 0 { //nolint:forcetypeassert // kuscia.Int64
					out[next] = seconds
				}
			case name == "terminationGracePeriodSeconds" && isNumber:
				out[next] = strconv.FormatInt(int64(value.(float64)), 10) //nolint:forcetypeassert // checked
			case isNumber:
				out[next] = int64(value.(float64)) //nolint:forcetypeassert // checked
			default:
				out[next] = renamed(value, rename)
			}
		}
		return out
	}
	return tree
}

func toCamelCase(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

func toSnakeCase(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

var _ appimage.Cluster = &appImages{}
