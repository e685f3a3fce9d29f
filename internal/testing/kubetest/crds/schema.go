package crds

import (
	"encoding/json"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// schema is one node of a structural schema.
type schema = apiextensions.JSONSchemaProps

// fields are the properties of an object.
type fields = map[string]schema

func object(properties fields, required ...string) schema {
	return schema{Type: "object", Properties: properties, Required: required}
}

// anything is an object whose fields are not validated.
func anything() schema {
	s := schema{Type: "object", XPreserveUnknownFields: new(true)}
	return s
}

func text() schema    { return schema{Type: "string"} }
func boolean() schema { return schema{Type: "boolean"} }
func integer() schema { return schema{Type: "integer"} }
func number32() schema {
	return schema{Type: "integer", Format: "int32"}
}
func number64() schema {
	return schema{Type: "integer", Format: "int64"}
}
func timestamp() schema { return schema{Type: "string", Format: "date-time"} }

func intOrString() schema {
	return schema{XIntOrString: true, AnyOf: []schema{{Type: "integer"}, {Type: "string"}}}
}

// quantity is a Kubernetes quantity.
func quantity() schema {
	s := intOrString()
	s.Pattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`
	return s
}

func list(items schema) schema {
	return schema{Type: "array", Items: &apiextensions.JSONSchemaPropsOrArray{Schema: &items}}
}

// listByKeys is a list whose entries server-side apply identifies by keys.
func listByKeys(items schema, keys ...string) schema {
	s := list(items)
	s.XListType = new("map")
	s.XListMapKeys = keys
	return s
}

func set(items schema) schema {
	s := list(items)
	s.XListType = new("set")
	return s
}

func mapOf(values schema) schema {
	return schema{Type: "object", AdditionalProperties: &apiextensions.JSONSchemaPropsOrBool{Schema: &values}}
}

func atomic(s schema) schema {
	s.XMapType = new("atomic")
	return s
}

func atMost(s schema, items int64) schema {
	s.MaxItems = &items
	return s
}

func atLeast(s schema, least float64) schema {
	s.Minimum = &least
	return s
}

func length(s schema, from, to int64) schema {
	s.MinLength, s.MaxLength = &from, &to
	if from == 0 {
		s.MinLength = nil
	}
	return s
}

func pattern(s schema, expression string) schema {
	s.Pattern = expression
	return s
}

func oneOf(values ...string) schema {
	s := text()
	for _, value := range values {
		s.Enum = append(s.Enum, raw(value))
	}
	return s
}

func byDefault(s schema, value any) schema {
	s.Default = new(raw(value))
	return s
}

func raw(value any) apiextensions.JSON {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // values are literals of this package
	}
	return apiextensions.JSON{Raw: text}
}
