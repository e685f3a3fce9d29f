package domain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The codes of data source operations, and the kind in the texts of the store.
const (
	codeCreateSource  int32 = 11800
	codeUpdateSource  int32 = 11801
	codeQuerySource   int32 = 11802
	codeBatchSource   int32 = 11803
	codeDeleteSource  int32 = 11804
	codeSourceExists  int32 = 11805
	codeSourceUnknown int32 = 11806
	codeListSource    int32 = 11808
	KindSources             = "domaindatasources"
)

// DataSourceObject is the kind data source.
var DataSourceObject = server.Object{
	Name: "domain_data_sources", Plural: KindSources,
	Operations: map[string]server.Operation{
		"domaindatasource/create":     server.Handle(codeCreateSource, Of, createSource).Data().OnLite(server.LiteOwn),
		"domaindatasource/query":      server.Handle(codeQuerySource, Of, querySource).Data().OnLite(server.LiteOwn),
		"domaindatasource/update":     server.Handle(codeUpdateSource, Of, updateSource).OnLite(server.LiteOwn),
		"domaindatasource/delete":     server.Handle(codeDeleteSource, Of, deleteSource).OnLite(server.LiteOwn),
		"domaindatasource/batchQuery": server.Handle(codeBatchSource, Of, batchQuerySources).Data().OnLite(server.LiteOwn),
		"domaindatasource/list":       server.Handle(codeListSource, Of, listSources).Data().OnLite(server.LiteOwn),
	},
	IDFields: []string{"datasource_id"},
	Seed:     seedSources,
	Save:     server.SaveTable[SourceSpec],
	Restore:  server.RestoreTable[SourceSpec](nil),
}

// SourceSpec is a stored data source; Info is the one in the last request, even
// while InfoKey hides it.
type SourceSpec struct {
	Type           string
	Name           string
	Info           *kuscia.DataSourceInfo
	InfoKey        string
	AccessDirectly bool
	// Writes makes each write of Info a change: it is encrypted with random
	// numbers.
	Writes uint64
}

// The request messages of the data source operations.
type (
	// CreateDomainDataSourceRequest is the body of domaindatasource/create.
	CreateDomainDataSourceRequest struct {
		Header         *kuscia.RequestHeader  `json:"header"`
		DomainID       string                 `json:"domain_id"`
		DatasourceID   string                 `json:"datasource_id"`
		Type           string                 `json:"type"`
		Name           *string                `json:"name"`
		Info           *kuscia.DataSourceInfo `json:"info"`
		InfoKey        *string                `json:"info_key"`
		AccessDirectly *bool                  `json:"access_directly"`
	}
	// UpdateDomainDataSourceRequest is the body of domaindatasource/update.
	UpdateDomainDataSourceRequest CreateDomainDataSourceRequest
	// QueryDomainDataSourceRequest is the body of domaindatasource/query.
	QueryDomainDataSourceRequest struct {
		Header       *kuscia.RequestHeader `json:"header"`
		DomainID     string                `json:"domain_id"`
		DatasourceID string                `json:"datasource_id"`
	}
	// DeleteDomainDataSourceRequest is the body of domaindatasource/delete.
	DeleteDomainDataSourceRequest QueryDomainDataSourceRequest
	// BatchQueryDomainDataSourceRequest is the body of
	// domaindatasource/batchQuery.
	BatchQueryDomainDataSourceRequest struct {
		Header *kuscia.RequestHeader        `json:"header"`
		Data   []kuscia.DomainDataSourceKey `json:"data"`
	}
	// ListDomainDataSourceRequest is the body of domaindatasource/list.
	ListDomainDataSourceRequest struct {
		Header   *kuscia.RequestHeader `json:"header"`
		DomainID string                `json:"domain_id"`
	}
)

// AddDefaultDataSource creates the data source that a node creates on its
// start.
func (w *Domains) AddDefaultDataSource(domainID string) {
	sources := server.TableOf[SourceSpec](w.ControlPlane)
	if sources.Get(domainID, kuscia.DefaultDataSource) != nil {
		return
	}
	sources.Add(w.Engine, cluster.Key{Namespace: domainID, Name: kuscia.DefaultDataSource}, SourceSpec{
		Type: kuscia.DataSourceLocalFS, Name: kuscia.DefaultDataSource,
		Info: &kuscia.DataSourceInfo{LocalFS: &kuscia.LocalFSInfo{Path: "/home/kuscia/var/storage/data"}},
	})
}

// seedSources creates the default data source of each domain with a node.
func seedSources(controlPlane *server.ControlPlane) {
	w := Of(controlPlane)
	for id, d := range w.byID {
		if d.withNode {
			w.AddDefaultDataSource(id)
		}
	}
}

// sourceWritable returns why this server must not change data sources of a
// domain, or "".
func sourceWritable(s *server.Node, domainID string) string {
	if s.NodeDomain() == "" {
		return "master's kuscia api can't operate domain data source"
	}
	return sourceReadable(s, domainID)
}

// sourceReadable returns why this server must not read data sources of a
// domain, or "". A master reads all, without their information.
func sourceReadable(s *server.Node, domainID string) string {
	if node := s.NodeDomain(); node != "" && node != domainID {
		return fmt.Sprintf("domain %s can't operate domain %s data source", node, domainID)
	}
	return ""
}

func createSource(w *Domains, s *server.Node, _ server.Caller, request *CreateDomainDataSourceRequest) server.Response {
	if complaint := checkCreateSource(s, request); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	spec, code, complaint := buildSource(s, request)
	if complaint != "" {
		return server.Refuse(code, complaint)
	}
	id := request.DatasourceID
	if id == "" {
		id = request.Type + "-" + engine.RandomHex(w.Rand)
	}
	sources := server.TableOf[SourceSpec](w.ControlPlane)
	if sources.Get(request.DomainID, id) != nil {
		return server.Refuse(codeCreateSource, "domain data source "+id+" already exist")
	}
	s.PauseBeforeWrite()
	if sources.Get(request.DomainID, id) != nil {
		return server.Refuse(codeSourceExists, server.ExistsError(KindSources, id))
	}
	sources.Add(w.Engine, cluster.Key{Namespace: request.DomainID, Name: id}, spec)
	return server.Result(map[string]string{"datasource_id": id})
}

func checkCreateSource(s *server.Node, request *CreateDomainDataSourceRequest) string {
	if s.NodeDomain() != "" && request.DomainID == "" {
		return "domain id can not be empty"
	}
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return complaint
	}
	if complaint := checkSourceType(request.Type); complaint != "" {
		return complaint
	}
	if request.DatasourceID != "" {
		return server.CheckName(request.DatasourceID, "datasource_id")
	}
	return ""
}

// sourceTypes are in the order of the server's error text.
var sourceTypes = []string{
	kuscia.DataSourceLocalFS, kuscia.DataSourceOSS, kuscia.DataSourceMySQL, kuscia.DataSourceODPS,
	kuscia.DataSourcePostgreSQL, kuscia.DataSourceHive, kuscia.DataSourceDameng,
}

func checkSourceType(kind string) string {
	if slices.Contains(sourceTypes, kind) {
		return ""
	}
	return fmt.Sprintf("domain data source type %q doesn't support, the available types are [%s]", kind, strings.Join(sourceTypes, ","))
}

// buildSource is the stored form of a request: an info key takes precedence
// over the information, which is then dropped.
func buildSource(s *server.Node, request *CreateDomainDataSourceRequest) (spec SourceSpec, code int32, complaint string) {
	spec = SourceSpec{Type: request.Type, Name: deref(request.Name), InfoKey: deref(request.InfoKey), AccessDirectly: deref(request.AccessDirectly)}
	if spec.InfoKey != "" {
		if _, err := infoBehindKey(s, spec.Type, spec.InfoKey); err != nil {
			return spec, codeCreateSource, fmt.Sprintf("domain data source info key %s not exist", spec.InfoKey)
		}
		return spec, 0, ""
	}
	if request.Info == nil {
		return spec, codeCreateSource, "domain data source info key and info all empty"
	}
	if complaint, unparsed := checkInfo(spec.Type, request.Info); complaint != "" {
		if unparsed {
			return spec, codeCreateSource, complaint
		}
		return spec, server.CodeValidate, complaint
	}
	spec.Info = normaliseInfo(request.Info)
	return spec, 0, ""
}

func updateSource(w *Domains, s *server.Node, _ server.Caller, request *UpdateDomainDataSourceRequest) server.Response {
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if request.DatasourceID == "" {
		return server.Refuse(server.CodeValidate, "domain data source id can not be empty")
	}
	r := server.TableOf[SourceSpec](w.ControlPlane).Get(request.DomainID, request.DatasourceID)
	if r == nil {
		return server.Refuse(codeSourceUnknown, fmt.Sprintf("domain %s data source %s doesn't exist", request.DomainID, request.DatasourceID))
	}
	spec, complaint := changeSource(r.Spec, request)
	if complaint != "" {
		return server.Refuse(codeUpdateSource, complaint)
	}
	if complaint, _ := server.WaitWriteWindow[SourceSpec](s, KindSources, r); complaint != "" {
		return server.Refuse(codeUpdateSource, complaint)
	}
	r.Set(w.Engine, spec)
	return server.Done()
}

// changeSource is a stored data source after an update: nil fields are kept.
func changeSource(spec SourceSpec, request *UpdateDomainDataSourceRequest) (SourceSpec, string) {
	if request.Type != "" {
		if complaint := checkSourceType(request.Type); complaint != "" {
			return spec, complaint
		}
		spec.Type = request.Type
	}
	if request.Name != nil {
		spec.Name = *request.Name
	}
	if request.AccessDirectly != nil {
		spec.AccessDirectly = *request.AccessDirectly
	}
	switch {
	case request.InfoKey != nil:
		spec.InfoKey = *request.InfoKey // the information is ignored, whatever the key
	case request.Info != nil:
		if request.Type == "" {
			return spec, "invalid datasource type:"
		}
		if complaint, _ := checkInfo(request.Type, request.Info); complaint != "" {
			return spec, complaint
		}
		spec.Info = normaliseInfo(request.Info)
		spec.Writes++
	}
	return spec, ""
}

func deleteSource(w *Domains, s *server.Node, _ server.Caller, request *DeleteDomainDataSourceRequest) server.Response {
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if request.DatasourceID == "" {
		return server.Refuse(server.CodeValidate, "domain data source id can not be empty")
	}
	sources := server.TableOf[SourceSpec](w.ControlPlane)
	if r := sources.Get(request.DomainID, request.DatasourceID); r != nil {
		sources.Remove(w.Engine, r)
	}
	return server.Done()
}

func deref[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
