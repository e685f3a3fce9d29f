package domain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The codes of data source operations.
const (
	codeCreateSource  int32 = 11800
	codeUpdateSource  int32 = 11801
	codeQuerySource   int32 = 11802
	codeBatchSource   int32 = 11803
	codeDeleteSource  int32 = 11804
	codeSourceExists  int32 = 11805
	codeSourceUnknown int32 = 11806
	codeListSource    int32 = 11808
)

var (
	sourceKind  = objects.KindOf[objects.DomainDataSource]()
	sourceCodes = server.StoreCodes{Exists: codeSourceExists}
)

// DataSourceObject is the kind data source.
var DataSourceObject = server.Object{
	Name: "domain_data_sources", Kind: sourceKind, Table: server.AsTable[objects.DomainDataSource],
	Operations: map[string]server.Operation{
		"domaindatasource/create":     server.Handle(codeCreateSource, Of, createSource).Data().OnLite(server.LiteOwn),
		"domaindatasource/query":      server.Handle(codeQuerySource, Of, querySource).Data().Field("info.odps", versions.TypeODPS).OnLite(server.LiteOwn),
		"domaindatasource/update":     server.Handle(codeUpdateSource, Of, updateSource).OnLite(server.LiteOwn),
		"domaindatasource/delete":     server.Handle(codeDeleteSource, Of, deleteSource).OnLite(server.LiteOwn),
		"domaindatasource/batchQuery": server.Handle(codeBatchSource, Of, batchQuerySources).Data().Field("datasource_list.info.odps", versions.TypeODPS).OnLite(server.LiteOwn),
		"domaindatasource/list":       server.Handle(codeListSource, Of, listSources).Data().Field("datasource_list.info.odps", versions.TypeODPS).Since(versions.DataSourceList).OnLite(server.LiteOwn),
	},
	IDFields: []string{"datasource_id"},
	Seed:     seedSources,
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
func (w *Domains) AddDefaultDataSource(domainID string) error {
	if w.sources.Get(domainID, kuscia.DefaultDataSource) != nil {
		return nil
	}
	source := &objects.DomainDataSource{
		Meta: objects.Meta{Namespace: domainID, Name: kuscia.DefaultDataSource},
		Spec: objects.DomainDataSourceSpec{Type: kuscia.DataSourceLocalFS, Name: kuscia.DefaultDataSource},
	}
	setInfo(source, &kuscia.DataSourceInfo{LocalFS: &kuscia.LocalFSInfo{Path: "/home/kuscia/var/storage/data"}})
	return w.sources.Create(source)
}

// seedSources creates the default data source of each domain with a node.
func seedSources(controlPlane *server.ControlPlane) {
	w := Of(controlPlane)
	for _, d := range w.domains.List("") {
		if len(d.Status.NodeStatuses) > 0 {
			_ = w.AddDefaultDataSource(d.Name) // memory fails only for a name that exists
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
	source := &objects.DomainDataSource{Meta: objects.Meta{Namespace: request.DomainID, Name: request.DatasourceID}}
	if !w.Version.Has(versions.DataSourceChecks) && w.sources.Get(source.Namespace, source.Name) != nil {
		return sourceExists(source.Name)
	}
	if deref(request.InfoKey) != "" && !w.Version.Has(versions.ConfigAPI) {
		return nilDereference
	}
	if code, complaint := buildSource(s, source, request); complaint != "" {
		return server.Refuse(code, complaint)
	}
	if source.Name == "" {
		source.Name = request.Type + "-" + engine.RandomHex(w.Rand)
	}
	if w.sources.Get(source.Namespace, source.Name) != nil {
		return sourceExists(source.Name)
	}
	s.PauseBeforeWrite()
	if err := w.sources.Create(source); err != nil {
		return sourceCodes.Refuse(codeCreateSource, err)
	}
	return server.Result(map[string]string{"datasource_id": source.Name})
}

func sourceExists(name string) server.Response {
	return server.Refuse(codeCreateSource, "domain data source "+name+" already exist")
}

func checkCreateSource(s *server.Node, request *CreateDomainDataSourceRequest) string {
	if s.NodeDomain() != "" && request.DomainID == "" {
		return "domain id can not be empty"
	}
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return complaint
	}
	if complaint := checkSourceType(s.ControlPlane.Version, request.Type); complaint != "" {
		return complaint
	}
	if request.DatasourceID != "" {
		return server.CheckName(s.ControlPlane.Version, request.DatasourceID, "datasource_id")
	}
	return ""
}

// sourceTypes are in the order of the server's error text, with what a version needs for it.
var sourceTypes = []struct {
	name  string
	needs versions.Feature
}{
	{name: kuscia.DataSourceLocalFS}, {name: kuscia.DataSourceOSS}, {name: kuscia.DataSourceMySQL},
	{kuscia.DataSourceODPS, versions.TypeODPS}, {kuscia.DataSourcePostgreSQL, versions.TypePostgreSQL},
	{kuscia.DataSourceHive, versions.TypeHive}, {kuscia.DataSourceDameng, versions.TypeDameng},
}

func checkSourceType(version versions.Version, kind string) string {
	var available []string
	for _, one := range sourceTypes {
		if !version.Has(one.needs) {
			continue
		}
		if one.name == kind {
			return ""
		}
		if one.name != kuscia.DataSourcePostgreSQL || version.Has(versions.PostgreSQLNamed) {
			available = append(available, one.name)
		}
	}
	return fmt.Sprintf("domain data source type %q doesn't support, the available types are [%s]", kind, strings.Join(available, ","))
}

// buildSource fills in a new data source: an info key takes precedence
// over the information, which is then dropped.
func buildSource(s *server.Node, source *objects.DomainDataSource, request *CreateDomainDataSourceRequest) (code int32, complaint string) {
	source.Spec = objects.DomainDataSourceSpec{
		Type: request.Type, Name: deref(request.Name), InfoKey: deref(request.InfoKey), AccessDirectly: deref(request.AccessDirectly),
	}
	info := request.Info
	if source.Spec.InfoKey != "" {
		behind, err := infoBehindKey(s, source.Spec.Type, source.Spec.InfoKey)
		if err != nil {
			return codeCreateSource, fmt.Sprintf("domain data source info key %s not exist", source.Spec.InfoKey)
		}
		source.Spec.URI = uri(source.Spec.Type, behind)
		return 0, ""
	}
	if info == nil {
		return codeCreateSource, "domain data source info key and info all empty"
	}
	if complaint, unparsed := checkInfo(s.ControlPlane.Version, source.Spec.Type, info); complaint != "" {
		if unparsed {
			return codeCreateSource, complaint
		}
		return server.CodeValidate, complaint
	}
	setInfo(source, info)
	return 0, ""
}

func updateSource(w *Domains, s *server.Node, _ server.Caller, request *UpdateDomainDataSourceRequest) server.Response {
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if request.DatasourceID == "" {
		return server.Refuse(server.CodeValidate, "domain data source id can not be empty")
	}
	source := w.sources.Get(request.DomainID, request.DatasourceID)
	if source == nil {
		return server.Refuse(codeSourceUnknown, fmt.Sprintf("domain %s data source %s doesn't exist", request.DomainID, request.DatasourceID))
	}
	if complaint := w.changeSource(source, request); complaint != "" {
		return server.Refuse(codeUpdateSource, complaint)
	}
	s.PauseBeforeWrite()
	return sourceCodes.DoneUnless(codeUpdateSource, w.sources.Update(source))
}

// changeSource changes a data source as an update does: nil fields are kept.
func (w *Domains) changeSource(source *objects.DomainDataSource, request *UpdateDomainDataSourceRequest) (complaint string) {
	if request.Type != "" {
		if complaint := checkSourceType(w.Version, request.Type); complaint != "" {
			return complaint
		}
		source.Spec.Type = request.Type
	}
	if request.Name != nil {
		source.Spec.Name = *request.Name
	}
	if request.AccessDirectly != nil {
		source.Spec.AccessDirectly = *request.AccessDirectly
	}
	switch {
	case request.InfoKey != nil:
		source.Spec.InfoKey = *request.InfoKey // the information is ignored, whatever the key
	case request.Info != nil:
		if request.Type == "" && w.Version.Has(versions.DataSourceChecks) {
			return "invalid datasource type:"
		}
		if complaint, _ := checkInfo(w.Version, cmp.Or(request.Type, source.Spec.Type), request.Info); complaint != "" {
			return complaint
		}
		setInfo(source, request.Info)
	}
	return ""
}

func deleteSource(w *Domains, s *server.Node, _ server.Caller, request *DeleteDomainDataSourceRequest) server.Response {
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return server.Refuse(server.CodeValidate, complaint)
	}
	if request.DatasourceID == "" {
		return server.Refuse(server.CodeValidate, "domain data source id can not be empty")
	}
	err := w.sources.Delete(request.DomainID, request.DatasourceID)
	if objects.ReasonOf(err) == objects.NotFound {
		return server.Done()
	}
	return sourceCodes.DoneUnless(codeDeleteSource, err)
}

func deref[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
