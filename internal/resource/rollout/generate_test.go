package rollout

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// drawnTexts are a few values in several spellings.
var drawnTexts = map[string][]string{
	attrReplicas: {"1", "01", "2", "25%", "025%", "50%", "100%", "0%", "x"}, attrTraffic: {"", "5%", "05%", "50%"}, attrFailureThreshold: {"", "1", "10%", "010%"},
	attrType: {"", "Exact", "RegularExpression"}, attrAPIVersion: {"apps/v1"}, attrKind: {"Deployment"}, attrName: {"", "a", "b"}, attrClassType: {"", "nginx"}, attrSet: {"1", "b"}, attrAdd: {"1", "b"},
}

// drawn generates configurations, valid or not.
func drawn(t *rapid.T, of *definition.Definition, name string, fixed tree) tree {
	fixed[attrNamespace], fixed[attrName] = "alice", name
	return definitiontest.Generator{Definition: of, Texts: drawnTexts, Fixed: fixed}.Configurations().Draw(t, "any").Tree
}

// ValidRollouts generates valid configurations of Rollouts.
func ValidRollouts(name string) *rapid.Generator[definitiontest.Drawn] {
	return rapid.Custom(func(t *rapid.T) definitiontest.Drawn {
		draw := drawn(t, rollout.Definition, name, tree{"timeouts": nil, "wait_for_healthy": false})
		style, drop := attrCanary, attrBlueGreen
		if rapid.Bool().Draw(t, "blue-green") {
			style, drop = drop, style
		}
		draw[drop] = nil
		one, ok := draw[style].(tree)
		if !ok {
			one = tree{}
			draw[style] = one
		}
		draw[attrWorkloadRef] = tree{attrName: name, attrKind: draw[attrWorkloadRef].(tree)[attrKind]}
		makeValid(one)
		makeStepsValid(t, one)
		if of, ok := one[attrTrafficRoutings].([]any); ok && len(of) > 1 {
			one[attrTrafficRoutings] = of[:1]
		}
		return definitiontest.Drawn{Tree: draw}
	})
}

// ValidRoutings generates valid configurations of traffic routings.
func ValidRoutings(name string) *rapid.Generator[definitiontest.Drawn] {
	return rapid.Custom(func(t *rapid.T) definitiontest.Drawn {
		draw := drawn(t, trafficRouting.Definition, name, tree{})
		makeValid(draw)
		draw[attrName] = name
		if strategy, _ := draw[attrStrategy].(tree); strategy[attrWeight] == nil && strategy[attrHeaderModifier] == nil {
			strategy[attrWeight] = 5
		}
		if of, _ := draw[attrObjectRef].([]any); len(of) == 0 {
			draw[attrObjectRef] = []any{tree{attrService: "s", attrIngress: tree{attrName: "i"}}}
		}
		return definitiontest.Drawn{Tree: draw}
	})
}

// makeValid fills attributes that must not be empty, and renames duplicate names.
func makeValid(in tree) {
	for name, value := range in {
		switch v := value.(type) {
		case string:
			if v == "" && slices.Contains([]string{attrName, attrValue, attrService, attrKind, attrAPIVersion, attrRouteName}, name) {
				in[name] = "x"
			}
		case int:
			if name == attrGrace {
				in[name] = v + 1
			}
		case []string:
			for i := range v {
				v[i] = fmt.Sprint(v[i], i)
			}
		case tree:
			makeValid(v)
		case []any:
			for i, element := range v {
				one, ok := element.(tree)
				if !ok {
					continue
				}
				makeValid(one)
				if text, ok := one[attrName].(string); ok && name != attrNetworkRefs {
					one[attrName] = fmt.Sprint(text, i)
				}
				if _, routes := one[attrService]; routes && one[attrGateway] == nil {
					one[attrIngress] = tree{attrName: "i", attrClassType: "nginx"}
				}
			}
		}
	}
	for name, value := range in {
		if v, ok := value.(tree); ok && slices.Contains([]string{attrHeaderModifier, attrPatchMetadata}, name) && empty(v) {
			in[name] = nil
		}
	}
	if at, ok := in[attrPath].(tree); ok {
		if text, _ := at[attrValue].(string); text != "" {
			at[attrValue] = "/" + text
		}
	}
	if _, routed := in[attrRouteName]; routed && in[attrRouteName] == nil {
		in[attrRouteName] = "x"
	}
}

// empty reports whether an object has no entries.
func empty(in tree) bool {
	for _, value := range in {
		switch v := value.(type) {
		case []any:
			if len(v) > 0 {
				return false
			}
		case []string:
			if len(v) > 0 {
				return false
			}
		case map[string]string:
			if len(v) > 0 {
				return false
			}
		}
	}
	return true
}

// makeStepsValid makes the replicas of the steps increase.
func makeStepsValid(t *rapid.T, style tree) {
	steps, _ := style[attrSteps].([]any)
	if len(steps) == 0 {
		steps = []any{tree{}}
	}
	numbers := [][]string{{"1", "01"}, {"25%", "025%"}, {"50%"}}
	for i, step := range steps {
		step, _ := step.(tree)
		step[attrReplicas] = rapid.SampledFrom(numbers[min(i+1, 2)]).Draw(t, "replicas")
		if i == 0 && rapid.Bool().Draw(t, "a number") {
			step[attrReplicas] = rapid.SampledFrom(numbers[0]).Draw(t, "number")
		}
	}
	style[attrSteps] = steps
}
