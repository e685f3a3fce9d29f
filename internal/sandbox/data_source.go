package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

const (
	codeCreateSource  int32 = 11800
	codeUpdateSource  int32 = 11801
	codeQuerySource   int32 = 11802
	codeBatchSource   int32 = 11803
	codeDeleteSource  int32 = 11804
	codeSourceExists  int32 = 11805
	codeSourceUnknown int32 = 11806
	codeListSource    int32 = 11808
	kindSources             = "domaindatasources"
)

var dataSourceObject = Object{
	Name: "domain_data_sources", Kind: kindSources,
	Operations: map[string]Operation{
		"domaindatasource/create":     Handle(codeCreateSource, createSource).Data().OnLite(liteOwn),
		"domaindatasource/query":      Handle(codeQuerySource, querySource).Data().OnLite(liteOwn),
		"domaindatasource/update":     Handle(codeUpdateSource, updateSource).OnLite(liteOwn),
		"domaindatasource/delete":     Handle(codeDeleteSource, deleteSource).OnLite(liteOwn),
		"domaindatasource/batchQuery": Handle(codeBatchSource, batchQuerySources).Data().OnLite(liteOwn),
		"domaindatasource/list":       Handle(codeListSource, listSources).Data().OnLite(liteOwn),
	},
	Named:   NamedBy("datasource_id"),
	Seed:    seedSources,
	Save:    saveTable[sourceSpec],
	Restore: restoreTable[sourceSpec](nil),
}

// sourceSpec is a data source as it is stored; Info is what was last sent in a
// request, also while InfoKey hides it.
type sourceSpec struct {
	Type           string
	Name           string
	Info           *kuscia.DataSourceInfo
	InfoKey        string
	AccessDirectly bool
	// Writes makes each write of Info another one: it is encrypted with random
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

// addDefaultDataSource makes what a node makes when it starts.
func (w *Domains) addDefaultDataSource(domainID string) {
	sources := tableOf[sourceSpec](w.World)
	if sources.get(domainID, kuscia.DefaultDataSource) != nil {
		return
	}
	sources.add(w.Engine, objectKey{domainID, kuscia.DefaultDataSource}, sourceSpec{
		Type: kuscia.DataSourceLocalFS, Name: kuscia.DefaultDataSource,
		Info: &kuscia.DataSourceInfo{LocalFS: &kuscia.LocalFSInfo{Path: "/home/kuscia/var/storage/data"}},
	})
}

// seedSources makes the default data source of each domain that has a node.
func seedSources(world *World) {
	w := domainsOf(world)
	for id, d := range w.byID {
		if d.withNode {
			w.addDefaultDataSource(id)
		}
	}
}

// sourceWritable says why this server may not change data sources of a domain.
func sourceWritable(s *Server, domainID string) string {
	if s.nodeDomain() == "" {
		return "master's kuscia api can't operate domain data source"
	}
	return sourceReadable(s, domainID)
}

// sourceReadable says why this server may not see data sources of a domain. A
// master sees all, without their information.
func sourceReadable(s *Server, domainID string) string {
	if node := s.nodeDomain(); node != "" && node != domainID {
		return fmt.Sprintf("domain %s can't operate domain %s data source", node, domainID)
	}
	return ""
}

func createSource(s *Server, _ caller, request *CreateDomainDataSourceRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := checkCreateSource(s, request); complaint != "" {
		return refuseData(codeValidate, complaint)
	}
	spec, code, complaint := buildSource(s, request)
	if complaint != "" {
		return refuseData(code, complaint)
	}
	id := request.DatasourceID
	if id == "" {
		id = request.Type + "-" + RandomHex(w.Rand)
	}
	sources := tableOf[sourceSpec](w.World)
	if sources.get(request.DomainID, id) != nil {
		return refuseData(codeCreateSource, "domain data source "+id+" already exist")
	}
	s.PauseBeforeWrite()
	if sources.get(request.DomainID, id) != nil {
		return refuseData(codeSourceExists, existsError(kindSources, id))
	}
	sources.add(w.Engine, objectKey{request.DomainID, id}, spec)
	return result(map[string]string{"datasource_id": id})
}

func checkCreateSource(s *Server, request *CreateDomainDataSourceRequest) string {
	if s.nodeDomain() != "" && request.DomainID == "" {
		return "domain id can not be empty"
	}
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return complaint
	}
	if complaint := checkSourceType(request.Type); complaint != "" {
		return complaint
	}
	if request.DatasourceID != "" {
		return checkName(request.DatasourceID, "datasource_id")
	}
	return ""
}

// sourceTypes in the order in which the server's complaint has them.
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

// buildSource is the stored form of a request: an info key counts before the
// information, which is then dropped.
func buildSource(s *Server, request *CreateDomainDataSourceRequest) (spec sourceSpec, code int32, complaint string) {
	spec = sourceSpec{Type: request.Type, Name: deref(request.Name), InfoKey: deref(request.InfoKey), AccessDirectly: deref(request.AccessDirectly)}
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
		return spec, codeValidate, complaint
	}
	spec.Info = normaliseInfo(request.Info)
	return spec, 0, ""
}

func updateSource(s *Server, _ caller, request *UpdateDomainDataSourceRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return refuse(codeValidate, complaint)
	}
	if request.DatasourceID == "" {
		return refuse(codeValidate, "domain data source id can not be empty")
	}
	r := tableOf[sourceSpec](w.World).get(request.DomainID, request.DatasourceID)
	if r == nil {
		return refuse(codeSourceUnknown, fmt.Sprintf("domain %s data source %s doesn't exist", request.DomainID, request.DatasourceID))
	}
	spec, complaint := changeSource(r.spec, request)
	if complaint != "" {
		return refuse(codeUpdateSource, complaint)
	}
	if complaint, _ := overtaken[sourceSpec](s, kindSources, r); complaint != "" {
		return refuse(codeUpdateSource, complaint)
	}
	r.set(w.Engine, spec)
	return done()
}

// changeSource is a stored data source after an update: what is nil stays.
func changeSource(spec sourceSpec, request *UpdateDomainDataSourceRequest) (sourceSpec, string) {
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

func deleteSource(s *Server, _ caller, request *DeleteDomainDataSourceRequest) answer {
	w := domainsOf(s.World)
	defer w.Enter()()
	if complaint := sourceWritable(s, request.DomainID); complaint != "" {
		return refuse(codeValidate, complaint)
	}
	if request.DatasourceID == "" {
		return refuse(codeValidate, "domain data source id can not be empty")
	}
	sources := tableOf[sourceSpec](w.World)
	if r := sources.get(request.DomainID, request.DatasourceID); r != nil {
		sources.remove(w.Engine, r)
	}
	return done()
}

func deref[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
