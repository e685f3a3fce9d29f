package kruise

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	versionAlpha    = "rollouts.kruise.io/v1alpha1"
	versionBeta     = "rollouts.kruise.io/v1beta1"
	annotationStyle = "rollouts.kruise.io/rolling-style"
)

// convertedByNeither is a field of canary that both versions have, and that
// neither conversion copies.
const convertedByNeither = "disableGenerateCanaryService"

// ServeHTTP converts Rollouts between their two versions.
func (w *Webhook) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if w.down.Load() {
		panic(http.ErrAbortHandler) // close the connection, which is similar to a webhook that does not listen
	}
	var review apiextensions.ConversionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(rw, "no conversion review", http.StatusBadRequest)
		return
	}
	response := &apiextensions.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, one := range review.Request.Objects {
		converted, err := convert(one.Raw, review.Request.DesiredAPIVersion)
		if err != nil {
			response.ConvertedObjects = nil
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: converted})
	}
	review.Request, review.Response = nil, response
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(review)
}

func convert(text []byte, to string) ([]byte, error) {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	var err error
	switch {
	case object.GetAPIVersion() == to:
	case to == versionBeta:
		object, err = toBeta(object)
	case to == versionAlpha:
		object, err = toAlpha(object)
	default:
		err = fmt.Errorf("unknown version %q", to)
	}
	if err != nil {
		return nil, err
	}
	return object.MarshalJSON()
}

// toBeta converts v1alpha1 to v1beta1.
func toBeta(alpha *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	beta := alpha.DeepCopy()
	beta.SetAPIVersion(versionBeta)
	spec, _, err := unstructured.NestedMap(beta.Object, "spec")
	if err != nil {
		return nil, err
	}
	ref, found, _ := unstructured.NestedMap(spec, "objectRef", "workloadRef")
	if found {
		spec["workloadRef"] = ref
	}
	delete(spec, "objectRef")
	delete(spec, "rolloutID")
	canary, found, _ := unstructured.NestedMap(spec, "strategy", "canary")
	if found {
		if !strings.EqualFold(beta.GetAnnotations()[annotationStyle], "partition") {
			canary["enableExtraWorkloadForCanary"] = true
		}
		if routing := beta.GetAnnotations()[annotationRouting]; routing != "" {
			canary["trafficRoutingRef"] = routing
		}
		delete(canary, convertedByNeither)
		steps, _ := canary["steps"].([]any)
		for _, one := range steps {
			step, _ := one.(map[string]any)
			weight, ok := number(step["weight"])
			if !ok {
				continue
			}
			delete(step, "weight")
			step["traffic"] = strconv.FormatInt(weight, 10) + "%"
			if step["replicas"] == nil {
				step["replicas"] = step["traffic"]
			}
		}
		if err := unstructured.SetNestedMap(spec, canary, "strategy", "canary"); err != nil {
			return nil, err
		}
	}
	beta.Object["spec"] = spec
	if status, ok := beta.Object["status"].(map[string]any); ok {
		for _, name := range []string{"currentStepIndex", "currentStepState"} {
			value, found, _ := unstructured.NestedFieldNoCopy(status, "canaryStatus", name)
			if found && status[name] == nil {
				status[name] = value
			}
		}
	}
	return beta, nil
}

// toAlpha converts v1beta1 to v1alpha1, which has no blue-green.
func toAlpha(beta *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	alpha := beta.DeepCopy()
	alpha.SetAPIVersion(versionAlpha)
	spec, _, err := unstructured.NestedMap(alpha.Object, "spec")
	if err != nil {
		return nil, err
	}
	if strategy, ok := spec["strategy"].(map[string]any); ok {
		// The real webhook fails, and the API server then retries indefinitely.
		delete(strategy, "blueGreen")
	}
	spec["objectRef"] = map[string]any{"workloadRef": spec["workloadRef"]}
	delete(spec, "workloadRef")
	canary, found, _ := unstructured.NestedMap(spec, "strategy", "canary")
	if found {
		style := "partition"
		if canary["enableExtraWorkloadForCanary"] == true {
			style = "canary"
		}
		annotations := alpha.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[annotationStyle] = style
		if routing, _ := canary["trafficRoutingRef"].(string); routing != "" {
			annotations[annotationRouting] = routing
		}
		alpha.SetAnnotations(annotations)
		delete(canary, "enableExtraWorkloadForCanary")
		delete(canary, "trafficRoutingRef")
		delete(canary, convertedByNeither)
		steps, _ := canary["steps"].([]any)
		for _, one := range steps {
			step, _ := one.(map[string]any)
			if traffic, ok := step["traffic"].(string); ok {
				if weight, err := strconv.ParseInt(strings.TrimSuffix(traffic, "%"), 10, 32); err == nil {
					step["weight"] = weight
				}
				delete(step, "traffic")
			}
		}
		if err := unstructured.SetNestedMap(spec, canary, "strategy", "canary"); err != nil {
			return nil, err
		}
	}
	alpha.Object["spec"] = spec
	if status, ok := alpha.Object["status"].(map[string]any); ok {
		delete(status, "currentStepIndex")
		delete(status, "currentStepState")
		delete(status, "blueGreenStatus")
	}
	return alpha, nil
}

func number(value any) (int64, bool) {
	switch n := value.(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), true
	}
	return 0, false
}
