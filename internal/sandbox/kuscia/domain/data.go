package domain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of domain data operations.
const (
	codeCreateData  int32 = 11500
	codeDeleteData  int32 = 11501
	codeQueryData   int32 = 11502
	codeListData    int32 = 11503
	codePatchData   int32 = 11505
	codeDataUnknown int32 = 11506
	codeDataExists  int32 = 11507
	// vendorGrant marks a copy of granted data.
	vendorGrant = "grant"
)

var (
	dataKind  = objects.KindOf[objects.DomainData]()
	dataCodes = server.StoreCodes{NotFound: codeDataUnknown, Exists: codeDataExists}
)

// DataObject is the kind domain data.
var DataObject = server.Object{
	Name: "domain_data", Kind: dataKind, Table: server.AsTable[objects.DomainData],
	Operations: map[string]server.Operation{
		"domaindata/create":           server.Handle(codeCreateData, Of, createData).Data().ForDomains().OnLite(server.LiteOwn),
		"domaindata/query":            server.Handle(codeQueryData, Of, queryData).Data().ForDomains().OnLite(server.LiteOwn),
		"domaindata/update":           server.Handle(codePatchData, Of, updateData).ForDomains().OnLite(server.LiteOwn),
		"domaindata/delete":           server.Handle(codeDeleteData, Of, deleteData).ForDomains().OnLite(server.LiteOwn),
		"domaindata/deleteDataAndRaw": server.Handle(codeDeleteData, Of, deleteDataAndRaw).Since(versions.DeleteDataAndRaw).OnLite(server.LiteOwn),
		"domaindata/batchQuery":       server.Handle(codeQueryData, Of, batchQueryData).Data().ForDomains().OnLite(server.LiteOwn),
		"domaindata/list":             server.Handle(codeListData, Of, listData).Data().ForDomains().OnLite(server.LiteOwn),
	},
	IDFields: []string{"domaindata_id"},
}

// FileFormat is an enumeration: a name or its number; any other value in a
// request is UNKNOWN.
type FileFormat int32

var fileFormats = []string{"UNKNOWN", "CSV", "BINARY"}

// BindJSON decodes the value in a request.
func (f *FileFormat) BindJSON(value any) error {
	*f = 0
	if text, ok := value.(string); ok {
		for i, name := range fileFormats {
			if name == text {
				*f = FileFormat(i)
			}
		}
		return nil
	}
	number, err := server.Integer(value)
	*f = FileFormat(number)
	return err
}

// stored is the format as it is stored.
func (f FileFormat) stored() string {
	if f < 0 || int(f) >= len(fileFormats) {
		f = 0
	}
	return strings.ToLower(fileFormats[f])
}

// shownFormat is a stored format as it is returned.
func shownFormat(stored string) string {
	if format := strings.ToUpper(stored); stored == strings.ToLower(format) && slices.Contains(fileFormats, format) {
		return format
	}
	return fileFormats[0]
}

// The request messages of the domain data operations.
type (
	// CreateDomainDataRequest is the body of domaindata/create.
	CreateDomainDataRequest struct {
		Header       *kuscia.RequestHeader `json:"header"`
		DomaindataID string                `json:"domaindata_id"`
		Name         string                `json:"name"`
		Type         string                `json:"type"`
		RelativeURI  string                `json:"relative_uri"`
		DomainID     string                `json:"domain_id"`
		DatasourceID string                `json:"datasource_id"`
		Attributes   map[string]string     `json:"attributes"`
		Partition    *kuscia.DataPartition `json:"partition"`
		Columns      []kuscia.DataColumn   `json:"columns"`
		Vendor       string                `json:"vendor"`
		FileFormat   FileFormat            `json:"file_format"`
	}
	// UpdateDomainDataRequest is the body of domaindata/update.
	UpdateDomainDataRequest CreateDomainDataRequest
	// DeleteDomainDataRequest is the body of domaindata/delete.
	DeleteDomainDataRequest struct {
		Header       *kuscia.RequestHeader `json:"header"`
		DomainID     string                `json:"domain_id"`
		DomaindataID string                `json:"domaindata_id"`
	}
	// DeleteDomainDataAndRawRequest is the body of domaindata/deleteDataAndRaw.
	DeleteDomainDataAndRawRequest DeleteDomainDataRequest
	// QueryDomainDataRequest is the body of domaindata/query.
	QueryDomainDataRequest struct {
		Header *kuscia.RequestHeader `json:"header"`
		Data   *kuscia.DomainDataKey `json:"data"`
	}
	// BatchQueryDomainDataRequest is the body of domaindata/batchQuery.
	BatchQueryDomainDataRequest struct {
		Header *kuscia.RequestHeader  `json:"header"`
		Data   []kuscia.DomainDataKey `json:"data"`
	}
	// ListDomainDataRequestData is the filter of a list.
	ListDomainDataRequestData struct {
		DomainID         string `json:"domain_id"`
		DomaindataType   string `json:"domaindata_type"`
		DomaindataVendor string `json:"domaindata_vendor"`
	}
	// ListDomainDataRequest is the body of domaindata/list.
	ListDomainDataRequest struct {
		Header *kuscia.RequestHeader      `json:"header"`
		Data   *ListDomainDataRequestData `json:"data"`
	}
)

// dataAllowed returns why a caller must not access the data of a domain; on a
// lite node with another code.
func dataAllowed(s *server.Node, from server.Caller, domainID string) (code int32, complaint string) {
	switch {
	case s.Lite != "" && s.Lite != domainID:
		return server.CodeValidate, fmt.Sprintf("kuscia lite api could only operate it's own domaindata, the domainid of request must be %s, not %s", s.Lite, domainID)
	case from.Domain != "" && from.Domain != domainID:
		return server.CodeAuthFailed, fmt.Sprintf("domain's kusciaAPI could only operate its own DomainData, request.DomainID must be %s not %s", from.Domain, domainID)
	}
	return 0, ""
}

func createData(w *Domains, s *server.Node, from server.Caller, request *CreateDomainDataRequest) server.Response {
	if field := missingField(request); field != "" && !w.Version.Has(versions.ErrorsInStatus) {
		return refusedBefore(field + " should not be empty")
	}
	if complaint := w.checkCreateData(request); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if code, complaint := dataAllowed(s, from, request.DomainID); complaint != "" {
		return server.Refuse(code, complaint)
	}
	if existing := w.data.Get(request.DomainID, request.DomaindataID); existing != nil {
		update := UpdateDomainDataRequest(*request)
		update.Vendor = ""
		return w.changeData(existing, &update, map[string]string{"domaindata_id": existing.Name})
	}
	spec := newDataSpec(request)
	if !w.Version.Has(versions.DataReferences) && !w.HasNamespace(request.DomainID) {
		return server.Refuse(codeDomainUnknown, fmt.Sprintf("namespaces %q not found", request.DomainID))
	}
	if complaint := w.checkDataSource(request.DomainID, spec.DataSource); complaint != "" {
		return server.Refuse(codeSourceUnknown, complaint)
	}
	id := request.DomaindataID
	if id == "" {
		id = w.dataID(spec.Name)
	}
	data := &objects.DomainData{Meta: objects.Meta{Namespace: request.DomainID, Name: id}, Spec: spec}
	data.Annotate(objects.AnnotationStarter, request.DomainID)
	data.Label(objects.LabelInterConn, interConn)
	if complaint := checkStoredData(data); complaint != "" {
		return server.Refuse(codeCreateData, complaint)
	}
	s.PauseBeforeWrite()
	if err := w.data.Create(data); err != nil {
		return dataCodes.Refuse(codeCreateData, err)
	}
	return server.Result(map[string]string{"domaindata_id": id})
}

// missingField is the field that an old version misses first.
func missingField(request *CreateDomainDataRequest) string {
	switch "" {
	case request.DomainID:
		return "domainID"
	case request.Type:
		return "type"
	case request.RelativeURI:
		return "relative uri"
	}
	return ""
}

func (w *Domains) checkCreateData(request *CreateDomainDataRequest) string {
	switch {
	case request.DomainID == "":
		return "request domain id can not be empty"
	case request.Type == "":
		return "request type can not be empty"
	case request.RelativeURI == "":
		return "request relative_uri can not be empty"
	case request.DomaindataID != "":
		return server.CheckName(w.Version, request.DomaindataID, "domaindata_id")
	}
	return ""
}

// newDataSpec sets the defaults of a create.
func newDataSpec(request *CreateDomainDataRequest) objects.DomainDataSpec {
	return objects.DomainDataSpec{
		Name: cmp.Or(request.Name, request.RelativeURI[strings.LastIndex(request.RelativeURI, "/")+1:]),
		Type: request.Type, RelativeURI: strings.TrimPrefix(request.RelativeURI, "/"),
		DataSource: cmp.Or(request.DatasourceID, kuscia.DefaultDataSource), Attributes: request.Attributes,
		Partitions: storedPartition(request.Partition), Columns: storedColumns(request.Columns),
		Vendor: cmp.Or(request.Vendor, "manual"), Author: request.DomainID, FileFormat: request.FileFormat.stored(),
	}
}

// storedPartition drops fields that the store does not have.
func storedPartition(partition *kuscia.DataPartition) *objects.DataPartition {
	if partition == nil {
		return nil
	}
	stored := &objects.DataPartition{Type: partition.Type, Fields: storedColumns(partition.Fields)}
	for i := range stored.Fields {
		stored.Fields[i].NotNullable = false
	}
	return stored
}

func storedColumns(columns []kuscia.DataColumn) (stored []objects.DataColumn) {
	for _, column := range columns {
		stored = append(stored, objects.DataColumn(column))
	}
	return stored
}

// dataIDPrefix is the maximum length of a name in a generated id.
const dataIDPrefix = 16

// dataID generates the id for data with that name.
func (w *Domains) dataID(name string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '/' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	letters = strings.TrimLeft(letters, "0123456789-/")
	if letters == "" {
		return engine.RandomHex(w.Rand)
	}
	return letters[:min(len(letters), dataIDPrefix)] + "-" + engine.RandomHex(w.Rand)
}

func (w *Domains) checkDataSource(domainID, id string) string {
	if !w.Version.Has(versions.DataReferences) || w.sources.Get(domainID, id) != nil {
		return ""
	}
	return fmt.Sprintf("domain data source `%s` is not exists in domain `%s`", id, domainID)
}

// checkStoredData sets the labels of data, and returns the store's error for them.
func checkStoredData(data *objects.DomainData) string {
	data.Label(objects.LabelDataType, data.Spec.Type)
	data.Label(objects.LabelDataVendor, data.Spec.Vendor)
	var errs server.FieldErrors
	errs.ObjectName(data.Name)
	errs.Label(data.Spec.Type)
	errs.Label(data.Spec.Vendor)
	return errs.Text("DomainData", data.Name)
}

func updateData(w *Domains, s *server.Node, from server.Caller, request *UpdateDomainDataRequest) server.Response {
	existing, refused := w.findData(s, from, request.DomainID, request.DomaindataID, codePatchData)
	if existing == nil {
		return refused
	}
	return w.changeData(existing, request, nil)
}

// findData returns domain data, or the response to a request about data that the caller
// cannot have.
func (w *Domains) findData(s *server.Node, from server.Caller, domainID, id string, code int32) (*objects.DomainData, server.Response) {
	if domainID == "" || id == "" {
		return nil, server.Refuse(server.CodeValidate, "domain id and domaindata id can not be empty")
	}
	if code, complaint := dataAllowed(s, from, domainID); complaint != "" {
		return nil, server.Refuse(code, complaint)
	}
	if data := w.data.Get(domainID, id); data != nil {
		return data, server.Response{}
	}
	return nil, dataCodes.Refuse(code, dataKind.Missing(id))
}

// changeData merges an update into stored data: empty fields are kept.
func (w *Domains) changeData(data *objects.DomainData, request *UpdateDomainDataRequest, result any) server.Response {
	spec := &data.Spec
	spec.Name = cmp.Or(request.Name, spec.Name)
	spec.Type = cmp.Or(request.Type, spec.Type)
	spec.RelativeURI = cmp.Or(request.RelativeURI, spec.RelativeURI)
	spec.DataSource = cmp.Or(request.DatasourceID, spec.DataSource)
	spec.Vendor = cmp.Or(request.Vendor, spec.Vendor)
	if request.FileFormat != 0 {
		spec.FileFormat = request.FileFormat.stored()
	}
	if len(request.Attributes) > 0 {
		spec.Attributes = request.Attributes
	}
	if request.Partition != nil {
		spec.Partitions = storedPartition(request.Partition)
	}
	if len(request.Columns) > 0 {
		spec.Columns = storedColumns(request.Columns)
	}
	if complaint := w.checkDataSource(data.Namespace, spec.DataSource); complaint != "" {
		return server.Refuse(codeSourceUnknown, complaint)
	}
	if complaint := checkStoredData(data); complaint != "" {
		return server.Response{Code: codePatchData, Message: complaint, Data: result}
	}
	if err := w.data.Update(data); err != nil {
		return dataCodes.Refuse(codePatchData, err)
	}
	return server.Result(result)
}

func deleteData(w *Domains, s *server.Node, from server.Caller, request *DeleteDomainDataRequest) server.Response {
	data, refused := w.findData(s, from, request.DomainID, request.DomaindataID, codeDeleteData)
	if data == nil {
		return refused
	}
	return dataCodes.DoneUnless(codeDeleteData, w.data.Delete(data.Namespace, data.Name))
}

// deleteDataAndRaw also deletes the file in Kuscia; the sandbox has none.
func deleteDataAndRaw(w *Domains, s *server.Node, from server.Caller, request *DeleteDomainDataAndRawRequest) server.Response {
	return deleteData(w, s, from, (*DeleteDomainDataRequest)(request))
}
