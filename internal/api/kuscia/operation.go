package kuscia

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Group is the API group of Kuscia's objects in Kubernetes.
const Group = "kuscia.secretflow"

// operation is an operation of the KusciaAPI.
type operation struct {
	httpapi.Operation
	// code is the code of its errors without a specific code; 0 if there is
	// none.
	code int32
	// kind is the Kubernetes name of the object in texts such as `kind "id" not
	// found`; "" if there are no such texts.
	kind string
	// exists matches further texts which mean that an object exists.
	exists func(id, message string) bool
	// flat is set if the response has its fields next to `status` and not in
	// `data`.
	flat bool
}

// operations are all operations by name. Each is declared next to its object
// and added when the package is initialized.
var operations = map[string]operation{}

// register adds an operation.
func register(op operation) operation {
	operations[op.Name] = op
	return op
}

// post is an operation on objects.
func post(name string) httpapi.Operation {
	return httpapi.Operation{Name: name, Method: http.MethodPost, Path: "/api/v1/" + name}
}

// update is an operation that changes something and may be repeated; create is
// one that must not be.
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

// confidential declares that the bodies consist of secrets.
func confidential(op httpapi.Operation) httpapi.Operation {
	op.Secret = true
	return op
}

// operationOf returns the operation whose errors have a code.
func operationOf(code int32) (operation, bool) {
	for _, op := range operations {
		if code != 0 && op.code == code {
			return op, true
		}
	}
	return operation{}, false
}
