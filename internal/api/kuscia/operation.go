package kuscia

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// operation is a row of the table of operations.
type operation struct {
	httpapi.Operation
	// code is that of its errors which have no code of their own; 0 where there
	// is none.
	code int32
	// kind is what the server's Kubernetes calls the object in texts such as
	// `kind "id" not found`; "" where no text is about it.
	kind string
	// exists knows further texts which say that an object is there already.
	exists func(id, message string) bool
	// flat is set when the answer has its fields beside the status.
	flat bool
}

// operations are the whole table, by name. The rows stand beside the object that
// they are about and get here as the package is initialised.
var operations = map[string]operation{}

// row puts an operation into the table.
func row(op operation) operation {
	operations[op.Name] = op
	return op
}

// post is what all operations on objects are.
func post(name string) httpapi.Operation {
	return httpapi.Operation{Name: name, Method: http.MethodPost, Path: "/api/v1/" + name}
}

// update is post for what changes something and may be repeated, create for
// what must not.
func update(name string) httpapi.Operation {
	op := post(name)
	op.Writes = true
	return op
}

func create(name string) httpapi.Operation {
	op := update(name)
	op.Creates = true
	return op
}

// confidential is for operations whose bodies are secrets all over.
func confidential(op httpapi.Operation) httpapi.Operation {
	op.Secret = true
	return op
}

// operationOf is the operation whose errors have a code.
func operationOf(code int32) (operation, bool) {
	for _, op := range operations {
		if code != 0 && op.code == code {
			return op, true
		}
	}
	return operation{}, false
}
