package manifest

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// Differs returns the fields in which an object is not what the KusciaAPI has returned, of those that
// it carries; nil if the object can be that one.
func (r *CustomResource[W]) Differs(found *unstructured.Unstructured, returned *W) (paths []string) {
	if r.Manifest == nil {
		return nil
	}
	return differs(specOf(found), r.Manifest(returned), r.Carried, "spec")
}

// differs compares values of which one may be missing, which is the same as an empty one.
func differs(stored, returned any, of Carried, at string) (paths []string) {
	if of.isHidden(stored) && isEmpty(returned) {
		return nil
	}
	if of == nil || isText(stored) || isText(returned) {
		if sameValue(stored, returned) || of.isAmount() && tfvalue.QuantityEqual(fmt.Sprint(stored), fmt.Sprint(returned)) {
			return nil
		}
		return []string{at}
	}
	if list, is := listOf(stored, returned); is {
		other, _ := returned.([]any)
		if len(list) != len(other) {
			return []string{at}
		}
		for i := range list {
			paths = append(paths, differs(list[i], other[i], of, fmt.Sprintf("%s[%d]", at, i))...)
		}
		return paths
	}
	now, _ := stored.(Object)
	then, _ := returned.(Object)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if name != Whole && name != number && name != amount {
			paths = append(paths, differs(now[name], then[name], of[name], at+"."+name)...)
		}
	}
	return paths
}

func isText(value any) bool {
	_, is := value.(string)
	return is
}

// listOf returns the stored list if either value is one.
func listOf(stored, returned any) (list []any, is bool) {
	list, isStored := stored.([]any)
	_, isReturned := returned.([]any)
	return list, isStored || isReturned
}

// sameValue compares values that the KusciaAPI carries as a whole. It returns times in a spelling of
// its own, and nothing that is empty.
func sameValue(stored, returned any) bool {
	a, isA := stored.(string)
	b, isB := returned.(string)
	switch {
	case isEmpty(stored) && isEmpty(returned):
		return true
	case isA && isB:
		return a == b || sameTime(a, b)
	}
	return reflect.DeepEqual(compact(stored), compact(returned))
}

func sameTime(a, b string) bool {
	x, errX := time.Parse(time.RFC3339, a)
	y, errY := time.Parse(time.RFC3339, b)
	return errX == nil && errY == nil && x.Equal(y)
}

func isEmpty(value any) bool {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	default:
		return v.IsZero()
	}
}

// compact is a value without what is empty in its objects.
func compact(value any) any {
	switch value := value.(type) {
	case Object:
		out := Object{}
		for name, inner := range value {
			if inner = compact(inner); !isEmpty(inner) {
				out[name] = inner
			}
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, inner := range value {
			out[i] = compact(inner)
		}
		return out
	}
	return value
}
