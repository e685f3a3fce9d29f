package domain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The codes of domain data operations, and the kind in the texts of the store.
const (
	codeCreateData  int32 = 11500
	codeDeleteData  int32 = 11501
	codeQueryData   int32 = 11502
	codeListData    int32 = 11503
	codePatchData   int32 = 11505
	codeDataUnknown int32 = 11506
	codeDataExists  int32 = 11507
	KindData              = "domaindatas"
	// vendorGrant marks a copy of granted data.
	vendorGrant = "grant"
)

// DataObject is the kind domain data.
var DataObject = server.Object{
	Name: "domain_data", Plural: KindData,
	Operations: map[string]server.Operation{
		"domaindata/create":           server.Handle(codeCreateData, Of, createData).Data().ForDomains().OnLite(server.LiteOwn),
		"domaindata/query":            server.Handle(codeQueryData, Of, queryData).Data().ForDomains().OnLite(server.LiteOwn),
		"domaindata/update":           server.Handle(codePatchData, Of, updateData).ForDomains().OnLite(server.LiteOwn),
		"domaindata/delete":           server.Handle(codeDeleteData, Of, deleteData).ForDomains().OnLite(server.LiteOwn),
		"domaindata/deleteDataAndRaw": server.Handle(codeDeleteData, Of, deleteDataAndRaw).SinceVersion(server.Version.HasAppImageList).OnLite(server.LiteOwn),
		"domaindata/batchQuery":       server.Handle(codeQueryData, Of, batchQueryData).Data().ForDomains().OnLite(server.LiteOwn),
		"domaindata/list":             server.Handle(codeListData, Of, listData).Data().ForDomains().OnLite(server.LiteOwn),
	},
	IDFields: []string{"domaindata_id"},
	Save:     server.SaveTable[DataSpec],
	Restore:  server.RestoreTable[DataSpec](nil),
}

// DataSpec is stored domain data.
type DataSpec struct {
	Name, Type, RelativeURI, DataSourceID string
	Attributes                            map[string]string
	Partition                             *kuscia.DataPartition
	Columns                               []kuscia.DataColumn
	Vendor, Author                        string
	FileFormat                            FileFormat
	// CopiedTo is the uid of the domain that a copy was made for.
	CopiedTo uint64
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

// String returns the name.
func (f FileFormat) String() string {
	if f < 0 || int(f) >= len(fileFormats) {
		return fmt.Sprint(int32(f))
	}
	return fileFormats[f]
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
	if complaint := checkCreateData(request); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if code, complaint := dataAllowed(s, from, request.DomainID); complaint != "" {
		return server.Refuse(code, complaint)
	}
	data := server.TableOf[DataSpec](w.ControlPlane)
	if existing := data.Get(request.DomainID, request.DomaindataID); existing != nil {
		update := UpdateDomainDataRequest(*request)
		update.Vendor = ""
		if code, complaint := w.changeData(existing, &update); complaint != "" {
			return server.Refuse(code, complaint)
		}
		return server.Result(map[string]string{"domaindata_id": existing.Name})
	}
	spec := newDataSpec(request)
	if complaint := w.checkDataSource(request.DomainID, spec.DataSourceID); complaint != "" {
		return server.Refuse(codeSourceUnknown, complaint)
	}
	id := request.DomaindataID
	if id == "" {
		id = w.dataID(spec.Name)
	}
	if complaint := checkStoredData(id, spec); complaint != "" {
		return server.Refuse(codeCreateData, complaint)
	}
	s.PauseBeforeWrite()
	if data.Get(request.DomainID, id) != nil {
		return server.Refuse(codeDataExists, server.ExistsError(KindData, id))
	}
	data.Add(w.Engine, cluster.Key{Namespace: request.DomainID, Name: id}, spec)
	return server.Result(map[string]string{"domaindata_id": id})
}

func checkCreateData(request *CreateDomainDataRequest) string {
	switch {
	case request.DomainID == "":
		return "request domain id can not be empty"
	case request.Type == "":
		return "request type can not be empty"
	case request.RelativeURI == "":
		return "request relative_uri can not be empty"
	case request.DomaindataID != "":
		return server.CheckName(request.DomaindataID, "domaindata_id")
	}
	return ""
}

// newDataSpec sets the defaults of a create.
func newDataSpec(request *CreateDomainDataRequest) DataSpec {
	spec := DataSpec{
		Name: request.Name, Type: request.Type, RelativeURI: strings.TrimPrefix(request.RelativeURI, "/"),
		DataSourceID: request.DatasourceID, Attributes: request.Attributes, Partition: storedPartition(request.Partition),
		Columns: request.Columns, Vendor: request.Vendor, Author: request.DomainID, FileFormat: request.FileFormat,
	}
	if spec.Name == "" {
		spec.Name = request.RelativeURI[strings.LastIndex(request.RelativeURI, "/")+1:]
	}
	if spec.DataSourceID == "" {
		spec.DataSourceID = kuscia.DefaultDataSource
	}
	if spec.Vendor == "" {
		spec.Vendor = "manual"
	}
	return spec
}

// storedPartition drops fields that the store does not have.
func storedPartition(partition *kuscia.DataPartition) *kuscia.DataPartition {
	if partition == nil {
		return nil
	}
	stored := &kuscia.DataPartition{Type: partition.Type}
	for _, field := range partition.Fields {
		field.NotNullable = false
		stored.Fields = append(stored.Fields, field)
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
	if server.TableOf[SourceSpec](w.ControlPlane).Get(domainID, id) != nil {
		return ""
	}
	return fmt.Sprintf("domain data source `%s` is not exists in domain `%s`", id, domainID)
}

func checkStoredData(id string, spec DataSpec) string {
	var errs server.FieldErrors
	errs.ObjectName(id)
	errs.Label(spec.Type)
	errs.Label(spec.Vendor)
	return errs.Text("DomainData", id)
}

func updateData(w *Domains, s *server.Node, from server.Caller, request *UpdateDomainDataRequest) server.Response {
	existing, code, complaint := w.findData(s, from, request.DomainID, request.DomaindataID)
	if complaint != "" {
		return server.Refuse(code, complaint)
	}
	if code, complaint := w.changeData(existing, request); complaint != "" {
		return server.Refuse(code, complaint)
	}
	return server.Done()
}

// findData returns stored data, or why a request for it is refused.
func (w *Domains) findData(s *server.Node, from server.Caller, domainID, id string) (r *cluster.Record[DataSpec], code int32, complaint string) {
	if domainID == "" || id == "" {
		return nil, server.CodeValidate, "domain id and domaindata id can not be empty"
	}
	if code, complaint := dataAllowed(s, from, domainID); complaint != "" {
		return nil, code, complaint
	}
	if r = server.TableOf[DataSpec](w.ControlPlane).Get(domainID, id); r == nil {
		return nil, codeDataUnknown, server.LookupError(KindData, id)
	}
	return r, 0, ""
}

// changeData merges an update into stored data: empty fields are kept.
func (w *Domains) changeData(r *cluster.Record[DataSpec], request *UpdateDomainDataRequest) (code int32, complaint string) {
	spec := r.Spec
	spec.Name = cmp.Or(request.Name, spec.Name)
	spec.Type = cmp.Or(request.Type, spec.Type)
	spec.RelativeURI = cmp.Or(request.RelativeURI, spec.RelativeURI)
	spec.DataSourceID = cmp.Or(request.DatasourceID, spec.DataSourceID)
	spec.Vendor = cmp.Or(request.Vendor, spec.Vendor)
	spec.FileFormat = cmp.Or(request.FileFormat, spec.FileFormat)
	if len(request.Attributes) > 0 {
		spec.Attributes = request.Attributes
	}
	if request.Partition != nil {
		spec.Partition = storedPartition(request.Partition)
	}
	if len(request.Columns) > 0 {
		spec.Columns = request.Columns
	}
	if complaint := w.checkDataSource(r.Namespace, spec.DataSourceID); complaint != "" {
		return codeSourceUnknown, complaint
	}
	if complaint := checkStoredData(r.Name, spec); complaint != "" {
		return codePatchData, complaint
	}
	if r.Set(w.Engine, spec) {
		w.dataChanged(r)
	}
	return 0, ""
}

func deleteData(w *Domains, s *server.Node, from server.Caller, request *DeleteDomainDataRequest) server.Response {
	r, code, complaint := w.findData(s, from, request.DomainID, request.DomaindataID)
	if complaint != "" {
		return server.Refuse(code, complaint)
	}
	server.TableOf[DataSpec](w.ControlPlane).Remove(w.Engine, r)
	w.dataDeleted(r)
	return server.Done()
}

// deleteDataAndRaw also deletes the file in Kuscia; the sandbox has none.
func deleteDataAndRaw(w *Domains, s *server.Node, from server.Caller, request *DeleteDomainDataAndRawRequest) server.Response {
	return deleteData(w, s, from, (*DeleteDomainDataRequest)(request))
}
