package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// bindRequest decodes a request body into target as the server's framework
// does; the decoder depends on the Content-Type header only.
func bindRequest(contentType string, body []byte, target any) error {
	switch {
	case contentType == "", contentType == "text/plain", strings.HasPrefix(contentType, "application/json"):
		return bindJSON(body, target)
	case strings.HasPrefix(contentType, "application/xml"), strings.HasPrefix(contentType, "text/xml"):
		return io.EOF // no element in a body that is not XML
	case strings.HasPrefix(contentType, "application/x-protobuf"):
		return errors.New("the sandbox does not speak protobuf")
	default:
		// Any other body is read as a form, which leaves the request empty.
		return nil
	}
}

// bindJSON decodes like protobuf's JSON: both notations of names, numbers as
// strings, unknown fields ignored. A body that this refuses is decoded again as
// plain strict JSON, whose error is returned.
func bindJSON(body []byte, target any) error {
	fresh := reflect.New(reflect.TypeOf(target).Elem())
	if bindProtoJSON(body, fresh.Elem()) == nil {
		reflect.ValueOf(target).Elem().Set(fresh.Elem())
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return errors.New(goType.ReplaceAllString(err.Error(), "${1}kusciaapi."))
	}
	return nil
}

// goType matches a type in an error of encoding/json; the server's types are in
// one package.
var goType = regexp.MustCompile(`(of type [\[\]*]*)\w+\.`)

func bindProtoJSON(body []byte, target reflect.Value) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the value")
	}
	object, ok := value.(map[string]any)
	if !ok {
		return errors.New("not an object")
	}
	return bindObject(object, target)
}

func bindObject(object map[string]any, target reflect.Value) error {
	seen := map[int]bool{}
	for name, value := range object {
		index, ok := fieldNamed(target.Type(), name)
		if !ok {
			continue
		}
		if seen[index] {
			return fmt.Errorf("field %s twice", name)
		}
		seen[index] = true
		if value == nil {
			continue
		}
		if err := bindValue(value, target.Field(index)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func fieldNamed(t reflect.Type, name string) (int, bool) {
	for i := range t.NumField() {
		tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if tag == name || lowerCamel(tag) == name {
			return i, true
		}
	}
	return 0, false
}

func lowerCamel(snake string) string {
	parts := strings.Split(snake, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

// jsonBinder is a type with its own decoding, such as an enumeration.
type jsonBinder interface{ BindJSON(value any) error }

func bindValue(value any, target reflect.Value) error {
	if own, ok := target.Addr().Interface().(jsonBinder); ok {
		return own.BindJSON(value)
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		return bindValue(value, target.Elem())
	case reflect.String:
		text, ok := value.(string)
		if !ok {
			return errors.New("not a string")
		}
		target.SetString(text)
	case reflect.Int32, reflect.Int64:
		number, err := Integer(value)
		if err != nil {
			return err
		}
		if target.OverflowInt(number) {
			return errors.New("out of range")
		}
		target.SetInt(number)
	case reflect.Bool:
		flag, ok := value.(bool)
		if !ok {
			return errors.New("not true or false")
		}
		target.SetBool(flag)
	case reflect.Struct:
		object, ok := value.(map[string]any)
		if !ok {
			return errors.New("not an object")
		}
		return bindObject(object, target)
	case reflect.Slice:
		return bindList(value, target)
	case reflect.Map:
		return bindMap(value, target)
	default:
		return fmt.Errorf("no rule for %s", target.Kind())
	}
	return nil
}

// Integer accepts whole numbers, also as strings or with a zero fraction.
func Integer(value any) (int64, error) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	default:
		return 0, errors.New("not a number")
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number, nil
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil || float != math.Trunc(float) || math.Abs(float) > 1<<53 {
		return 0, errors.New("not a whole number")
	}
	return int64(float), nil
}

func bindList(value any, target reflect.Value) error {
	list, ok := value.([]any)
	if !ok {
		return errors.New("not a list")
	}
	if len(list) == 0 {
		return nil // an empty list equals null
	}
	slice := reflect.MakeSlice(target.Type(), len(list), len(list))
	for i, item := range list {
		if item == nil {
			return errors.New("null in a list")
		}
		if err := bindValue(item, slice.Index(i)); err != nil {
			return err
		}
	}
	target.Set(slice)
	return nil
}

func bindMap(value any, target reflect.Value) error {
	object, ok := value.(map[string]any)
	if !ok {
		return errors.New("not an object")
	}
	// An empty map differs from null: updating an app image with it clears the
	// templates.
	m := reflect.MakeMapWithSize(target.Type(), len(object))
	for key, item := range object {
		if item == nil {
			return errors.New("null in a map")
		}
		element := reflect.New(target.Type().Elem()).Elem()
		if err := bindValue(item, element); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(key), element)
	}
	target.Set(m)
	return nil
}

// readBody reads the whole body; the server has no limit.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the request body: %w", err)
	}
	return body, nil
}
