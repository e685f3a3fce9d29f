package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Document is JSON of a server that may be decoded: NewDocument has bounded it. Nothing else
// decodes what a server has sent. The zero Document is no data.
type Document struct {
	text []byte
	// elements and members are how many the lists and objects have.
	elements, members int
}

// ErrNotJSON is the error of NewDocument for a text that is not JSON, such as the page of a
// proxy.
var ErrNotJSON = errors.New("the response is not JSON")

// NewDocument checks a text of a server, such as a response or an annotation. It keeps the
// text, which must not change any more.
func NewDocument(text []byte) (Document, error) {
	if !json.Valid(text) {
		return Document{}, ErrNotJSON
	}
	elements, members, err := checkStructure(text)
	if err != nil {
		return Document{}, err
	}
	return Document{text, elements, members}, nil
}

// DecodeText checks and decodes a text of a server.
func DecodeText(text string, into any) error {
	document, err := NewDocument([]byte(text))
	if err != nil {
		return err
	}
	return document.Decode(into)
}

// Decode decodes the document. Its errors name the field and the problem, never the value.
func (d Document) Decode(into any) error {
	if len(d.text) == 0 || bytes.Equal(bytes.TrimSpace(d.text), []byte("null")) {
		return errors.New("the response reports success but has no data")
	}
	if err := json.Unmarshal(d.text, into); err != nil {
		return PlainDecodeError(err)
	}
	return nil
}

// Size is the number of bytes.
func (d Document) Size() int { return len(d.text) }

// UnmarshalJSON makes a part of a document a document too.
func (d *Document) UnmarshalJSON(text []byte) error {
	d.text = slices.Clone(text)
	return nil
}
