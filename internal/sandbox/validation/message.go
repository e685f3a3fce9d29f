// Package validation has Kubernetes' validation of Deployments and Services, as far as
// Kuscia can create them, for both stores. It prints what is wrong in the way of the
// Kubernetes version that the recordings are of: with Go's values, where later versions
// show JSON.
package validation

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Error is the error for an object with problems, nil if there are none.
func Error(kind, name string, problems field.ErrorList) error {
	if len(problems) == 0 {
		return nil
	}
	return errors.New(fmt.Sprintf("%s %q is invalid: ", kind, name) + Message(problems))
}

// Message is the text of all problems, each once.
func Message(problems field.ErrorList) string {
	var texts []string
	seen := map[string]bool{}
	for _, problem := range problems {
		if text := one(problem); !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func one(problem *field.Error) string {
	text := problem.Field + ": " + problem.Type.String()
	if problem.Type != field.ErrorTypeRequired && problem.Type != field.ErrorTypeForbidden {
		text += ": " + printed(problem.BadValue)
	}
	if problem.Detail != "" {
		text += ": " + strings.ReplaceAll(problem.Detail, " bytes", " characters")
	}
	return text
}

func printed(value any) string {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		value = v.Elem().Interface()
	}
	if value == nil || (v.Kind() == reflect.Pointer && v.IsNil()) {
		return `"null"`
	}
	switch t := value.(type) {
	case int, int32, int64, bool, float32, float64:
		return fmt.Sprint(t)
	case string:
		return fmt.Sprintf("%q", t)
	case fmt.Stringer:
		return t.String()
	}
	return fmt.Sprintf("%#v", value)
}
