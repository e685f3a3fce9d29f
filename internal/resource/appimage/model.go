package appimage

import (
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// kind is the shape of an attribute.
type kind int

const (
	kindText     kind = iota // string
	kindQuantity             // string that is a Kubernetes quantity
	kindNumber               // whole number
	kindTexts                // list of strings
	kindTextMap              // map of strings
	kindObject               // nested object
	kindObjects              // list of nested objects
)

// meaning says what an attribute means to Kuscia: what it stands for when it
// is left out, and by its kind when two values are the same.
type meaning struct {
	kind kind
	// tfType is the type of the attribute's values.
	tfType tftypes.Type
	// fields are the attributes of an object.
	fields map[string]meaning
	// element is the meaning of each element of a list of objects.
	element *meaning
	// text is what a string that is left out or "" stands for.
	text string
	// number is what a number that is left out stands for.
	number int64
	// nullable marks objects whose absence is a value of its own: a probe that
	// is absent differs from an empty one. Everything else that is left out
	// stands for its empty value, which is then held in plan and state.
	nullable bool
}

// What Kuscia v1.1 takes for an attribute of a port that is left out, and what
// this provider takes for the number of pods.
const (
	defaultProtocol = "HTTP"
	defaultScope    = "Local"
	defaultReplicas = 1
)

// The computed attributes, which are no part of the definition.
const (
	attrID                 = "id"
	attrRolloutRevision    = "rollout_revision"
	attrDefinitionRevision = "definition_revision"
)

var (
	text     = textOr("")
	number   = numberOr(0)
	quantity = meaning{kind: kindQuantity, tfType: tftypes.String}
	texts    = meaning{kind: kindTexts, tfType: tftypes.List{ElementType: tftypes.String}}
	textMap  = meaning{kind: kindTextMap, tfType: tftypes.Map{ElementType: tftypes.String}}
)

func textOr(fallback string) meaning {
	return meaning{kind: kindText, tfType: tftypes.String, text: fallback}
}

func numberOr(fallback int64) meaning {
	return meaning{kind: kindNumber, tfType: tftypes.Number, number: fallback}
}

func object(fields map[string]meaning) meaning {
	types := make(map[string]tftypes.Type, len(fields))
	for name, field := range fields {
		types[name] = field.tfType
	}
	return meaning{kind: kindObject, tfType: tftypes.Object{AttributeTypes: types}, fields: fields}
}

func nullable(fields map[string]meaning) meaning {
	m := object(fields)
	m.nullable = true
	return m
}

func objects(fields map[string]meaning) meaning {
	element := object(fields)
	return meaning{kind: kindObjects, tfType: tftypes.List{ElementType: element.tfType}, element: &element}
}

// definition is the meaning of a whole app image. Its names are those of the
// AppImage API. What an empty value stands for was observed on Kuscia v1.1.
var definition = object(map[string]meaning{
	"name": text,
	"image": object(map[string]meaning{
		"name": text, "tag": text, "id": text, "sign": text,
	}),
	"config_templates": textMap,
	"deploy_templates": objects(map[string]meaning{
		"name": text,
		"role": text,
		// Kuscia would store 0, and a serving that leaves the number to the
		// app image would then run no pods.
		"replicas":       numberOr(defaultReplicas),
		"restart_policy": text,
		"containers":     objects(container),
	}),
})

var container = map[string]meaning{
	"name":        text,
	"command":     texts,
	"args":        texts,
	"working_dir": text,
	"config_volume_mounts": objects(map[string]meaning{
		"mount_path": text, "sub_path": text,
	}),
	"ports": objects(map[string]meaning{
		"name":     text,
		"protocol": textOr(defaultProtocol),
		"scope":    textOr(defaultScope),
	}),
	"env": objects(map[string]meaning{
		"name": text, "value": text,
	}),
	"env_from": objects(map[string]meaning{
		"prefix":         text,
		"config_map_ref": nullable(map[string]meaning{"name": text}),
		"secret_ref":     nullable(map[string]meaning{"name": text}),
	}),
	// Empty limits, empty requests and no resources at all are the same.
	"resources": object(map[string]meaning{
		"limits":   object(map[string]meaning{"cpu": quantity, "memory": quantity}),
		"requests": object(map[string]meaning{"cpu": quantity, "memory": quantity}),
	}),
	"liveness_probe":    nullable(probe),
	"readiness_probe":   nullable(probe),
	"startup_probe":     nullable(probe),
	"image_pull_policy": text,
}

var probe = map[string]meaning{
	"exec": nullable(map[string]meaning{"command": texts}),
	"http_get": nullable(map[string]meaning{
		"path": text, "port": text, "host": text, "scheme": text,
		"http_headers": objects(map[string]meaning{"name": text, "value": text}),
	}),
	"tcp_socket":                       nullable(map[string]meaning{"port": text, "host": text}),
	"grpc":                             nullable(map[string]meaning{"port": number, "service": text}),
	"initial_delay_seconds":            number,
	"timeout_seconds":                  number,
	"period_seconds":                   number,
	"success_threshold":                number,
	"failure_threshold":                number,
	"termination_grace_period_seconds": number,
}

// empty is the value of an attribute that is left out.
func (m meaning) empty() tftypes.Value {
	switch m.kind {
	case kindText, kindQuantity:
		return tftypes.NewValue(tftypes.String, m.text)
	case kindNumber:
		return numberValue(m.number)
	case kindTextMap:
		return tftypes.NewValue(m.tfType, map[string]tftypes.Value{})
	case kindObject:
		if m.nullable {
			return tftypes.NewValue(m.tfType, nil)
		}
		values := make(map[string]tftypes.Value, len(m.fields))
		for name, field := range m.fields {
			values[name] = field.empty()
		}
		return tftypes.NewValue(m.tfType, values)
	default:
		return tftypes.NewValue(m.tfType, []tftypes.Value{})
	}
}

// sameLeaf reports whether two known values of an attribute that is no object
// and no list of objects mean the same.
func (m meaning) sameLeaf(a, b tftypes.Value) bool {
	switch m.kind {
	case kindText:
		return m.textOf(a) == m.textOf(b)
	case kindQuantity:
		return tfvalue.QuantityEqual(m.textOf(a), m.textOf(b))
	default:
		if a.IsNull() {
			a = m.empty()
		}
		if b.IsNull() {
			b = m.empty()
		}
		return a.Equal(b)
	}
}

func (m meaning) textOf(v tftypes.Value) string {
	if s := stringOf(v); s != "" {
		return s
	}
	return m.text
}

// stringOf is the text of a string value; null and unknown are "".
func stringOf(v tftypes.Value) string {
	var s string
	if v.IsKnown() && !v.IsNull() {
		// As fails only for values of another type.
		_ = v.As(&s)
	}
	return s
}

// numberOf is the number of a number value, and whether it is a whole one that
// fits. Null and unknown are 0.
func numberOf(v tftypes.Value) (n int64, whole bool) {
	f := new(big.Float)
	if !v.IsKnown() || v.IsNull() || v.As(&f) != nil {
		return 0, true
	}
	n, accuracy := f.Int64()
	return n, accuracy == big.Exact
}

// fieldsOf are the attributes of a known object, nil for others.
func fieldsOf(v tftypes.Value) map[string]tftypes.Value {
	var fields map[string]tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&fields)
	}
	return fields
}

// elementsOf are the elements of a known list, nil for others.
func elementsOf(v tftypes.Value) []tftypes.Value {
	var elements []tftypes.Value
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&elements)
	}
	return elements
}

func numberValue(n int64) tftypes.Value {
	f, _, _ := big.ParseFloat(strconv.FormatInt(n, 10), 10, 512, big.ToNearestEven)
	return tftypes.NewValue(tftypes.Number, f)
}
