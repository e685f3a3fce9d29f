package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
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
// numbers, random orders, generated ids in texts, tokens, keys and certificates of the
// cluster, memory dumps.
func normalise(text []byte) (any, error) {
	var value any
	if len(text) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(text, &value); err != nil || value == "" {
		return nil, err
	}
	return normaliseValue("", value)
}

var (
	portNumber = regexp.MustCompile(`\.svc:(\d+)$`)
	imageDump  = regexp.MustCompile(`(?s)from appimage &\{\{ \} \{(\S+) .*`)
	// portName matches the name of a port in texts that contain a random
	// element of a map of ports.
	portName   = regexp.MustCompile(`-(service|communication|internal|brpc-builtin)\b`)
	madeUp     = regexp.MustCompile(`[0-9a-f]{32}`)
	lastUpdate = regexp.MustCompile(`LastUpdateAt=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC`)
	pemCert    = regexp.MustCompile(`^LS0tLS1CRUdJTiBD`)
	pemKey     = regexp.MustCompile(`^LS0tLS1CRUdJTi`)
)

func normaliseValue(key string, value any) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		normaliseObject(key, v)
		for name, field := range v {
			normal, err := normaliseValue(name, field)
			if err != nil {
				return nil, err
			}
			v[name] = normal
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
		isEntry := func(item any) bool { m, ok := item.(map[string]any); return ok && len(m) == 2 && m["key"] != nil }
		random := key == "party_statuses" || key == "endpoints" || key == "domaindatagrant_list" || key == "domaindata_list" && madeUp.MatchString(fmt.Sprint(v))
		if random || slices.ContainsFunc(v, isEntry) {
			slices.SortFunc(v, func(a, b any) int { return strings.Compare(sortKey(a), sortKey(b)) })
		}
		return v, nil
	case string:
		return normaliseText(key, v)
	}
	return value, nil
}

func normaliseObject(key string, v map[string]any) {
	if key == "node_statuses" || v["last_heartbeat_time"] != nil {
		v["name"], v["version"] = "NODE", "VERSION"
	}
	if id := v["domain_id"]; (id == "master" || id == server.MasterDomain) && pemCert.MatchString(fmt.Sprint(v["cert"])) {
		v["cert"] = "CERTIFICATE OF THE CLUSTER"
	}
	if token, ok := v["token_config"].(map[string]any); ok && v["destination"] == server.MasterDomain && pemKey.MatchString(fmt.Sprint(token["destination_public_key"])) {
		token["destination_public_key"] = "KEY OF THE CLUSTER"
	}
	if v["key"] == "domain-public-key" && pemKey.MatchString(fmt.Sprint(v["value"])) {
		v["value"] = "KEY OF THE NODE"
	}
	if chain, ok := v["cert_chain"].([]any); ok && len(chain) > 0 && v["key"] != "" {
		v["key"], v["cert_chain"] = "NEW KEY", len(chain)
	}
}

// sortKey is a text of an element without what depends on the moment.
func sortKey(item any) string {
	if object, ok := item.(map[string]any); ok && (object["role"] != nil || object["port_name"] != nil) {
		return fmt.Sprint(object["domain_id"], "/", object["role"], "/", object["port_name"])
	}
	return fmt.Sprint(item)
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
		text = madeUp.ReplaceAllString(imageDump.ReplaceAllString(text, "from appimage &{{ } {$1 DUMP"), "MADE-UP")
	}
	return lastUpdate.ReplaceAllString(text, "LastUpdateAt=TIME"), nil
}
