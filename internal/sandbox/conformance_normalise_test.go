package sandbox

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// asJSON encodes a body that is not JSON as a JSON string.
func asJSON(body []byte) []byte {
	if json.Valid(body) {
		return body
	}
	text, _ := json.Marshal(string(body)) // strings always marshal
	return text
}

// normalise decodes a response and removes what differs each time: times, port
// numbers, random orders, tokens, memory dumps.
func normalise(text []byte) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	if value == "" {
		return nil, nil
	}
	return normaliseValue("", value)
}

var (
	portNumber = regexp.MustCompile(`\.svc:(\d+)$`)
	imageDump  = regexp.MustCompile(`(?s)from appimage &\{\{ \} \{(\S+) .*`)
	// portName matches the name of a port in texts that contain a random
	// element of a map of ports.
	portName = regexp.MustCompile(`-(service|communication|internal|brpc-builtin)\b`)
)

func normaliseValue(key string, value any) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		for name, field := range v {
			normal, err := normaliseValue(name, field)
			if err != nil {
				return nil, err
			}
			v[name] = normal
		}
		if key == "node_statuses" || v["last_heartbeat_time"] != nil {
			v["name"], v["version"] = "NODE", "VERSION"
		}
		return v, nil
	case []any:
		for i, item := range v {
			normal, err := normaliseValue(key, item)
			if err != nil {
				return nil, err
			}
			v[i] = normal
		}
		if key == "party_statuses" || key == "endpoints" {
			slices.SortFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(sortKey(a)), fmt.Sprint(sortKey(b))) })
		}
		return v, nil
	case string:
		return normaliseText(key, v)
	default:
		return v, nil
	}
}

func sortKey(item any) any {
	object, ok := item.(map[string]any)
	if !ok {
		return item
	}
	return fmt.Sprint(object["domain_id"], "/", object["role"], "/", object["port_name"])
}

func normaliseText(key, text string) (any, error) {
	switch key {
	case "create_time", "last_heartbeat_time", "last_transition_time":
		if text == "" {
			return "", nil // of a node that has just registered
		}
		if _, err := time.Parse(time.RFC3339, text); err != nil || !strings.HasSuffix(text, "Z") {
			return nil, fmt.Errorf("%s %q is not a UTC time in RFC 3339", key, text)
		}
		return "TIME", nil
	case "endpoint":
		return portNumber.ReplaceAllString(text, ".svc:PORT"), nil
	case "next_page_token":
		if text != "" {
			return "PAGE", nil
		}
	case "token":
		if len(text) == tokenLength {
			return "TOKEN", nil
		}
	case "message":
		return imageDump.ReplaceAllString(text, "from appimage &{{ } {$1 DUMP"), nil
	}
	return text, nil
}

// equalWithoutStatus compares two serving responses except for the status.
func equalWithoutStatus(a, b any) bool {
	return reflect.DeepEqual(withoutStatus(a), withoutStatus(b))
}

func withoutStatus(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	data, ok := object["data"].(map[string]any)
	if !ok {
		return value
	}
	trimmed := map[string]any{}
	for name, field := range data {
		if name == "status" {
			field = "STATUS"
		}
		if list, ok := field.([]any); ok && name == "servings" {
			ids := []any{}
			for _, item := range list {
				ids = append(ids, item.(map[string]any)["serving_id"])
			}
			field = ids
		}
		trimmed[name] = field
	}
	return map[string]any{"status": object["status"], "data": trimmed}
}

func differenceOf(have, want any) string {
	haveText, _ := json.Marshal(have) // decoded JSON always marshals
	wantText, _ := json.Marshal(want)
	return fmt.Sprintf("answered %s\nrecorded %s", haveText, wantText)
}
