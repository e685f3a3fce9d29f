package kuscia

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

type operation = httpapi.Operation

// The operations of the KusciaAPI that the client knows (Kuscia v1.1).
var (
	opCreateServing = operation{Name: "serving/create", Method: http.MethodPost, Path: "/api/v1/serving/create", Writes: true, Creates: true}
	opQueryServing  = operation{Name: "serving/query", Method: http.MethodPost, Path: "/api/v1/serving/query"}
	opUpdateServing = operation{Name: "serving/update", Method: http.MethodPost, Path: "/api/v1/serving/update", Writes: true}
	opDeleteServing = operation{Name: "serving/delete", Method: http.MethodPost, Path: "/api/v1/serving/delete", Writes: true}
	opServingStatus = operation{Name: "serving/status/batchQuery", Method: http.MethodPost, Path: "/api/v1/serving/status/batchQuery"}

	opCreateAppImage = operation{Name: "appimage/create", Method: http.MethodPost, Path: "/api/v1/appimage/create", Writes: true, Creates: true}
	opQueryAppImage  = operation{Name: "appimage/query", Method: http.MethodPost, Path: "/api/v1/appimage/query"}
	opUpdateAppImage = operation{Name: "appimage/update", Method: http.MethodPost, Path: "/api/v1/appimage/update", Writes: true}
	opDeleteAppImage = operation{Name: "appimage/delete", Method: http.MethodPost, Path: "/api/v1/appimage/delete", Writes: true}
	opBatchAppImages = operation{Name: "appimage/batchQuery", Method: http.MethodPost, Path: "/api/v1/appimage/batchQuery"}
	opListAppImages  = operation{Name: "appimage/list", Method: http.MethodPost, Path: "/api/v1/appimage/list"}

	opVersion = operation{Name: "version", Method: http.MethodGet, Path: "/version", Plain: true}
	opHealth  = operation{Name: "healthZ", Method: http.MethodPost, Path: "/healthZ"}
)
