package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// checkInfo returns the complaint about the information of a type; unparsed
// tells that it did not even get to the fields.
func checkInfo(kind string, info *kuscia.DataSourceInfo) (complaint string, unparsed bool) {
	type field struct{ name, value string }
	var fields []field
	switch kind {
	case kuscia.DataSourceLocalFS:
		if info.LocalFS == nil {
			return "localfs info is nil", false
		}
		fields = []field{{"path", info.LocalFS.Path}}
	case kuscia.DataSourceOSS:
		if info.OSS == nil {
			return "oss info is nil", false
		}
		fields = []field{
			{"endpoint", info.OSS.Endpoint}, {"bucket", info.OSS.Bucket},
			{"access_key_id", info.OSS.AccessKeyID}, {"access_key_secret", info.OSS.AccessKeySecret},
		}
	case kuscia.DataSourceODPS:
		if info.ODPS == nil {
			return "odps info is nil", false
		}
		fields = []field{
			{"endpoint", info.ODPS.Endpoint}, {"project", info.ODPS.Project},
			{"access_key_id", info.ODPS.AccessKeyID}, {"access_key_secret", info.ODPS.AccessKeySecret},
		}
	default:
		if info.Database == nil {
			return "parse data source failed, invalid datasource info", true
		}
		if kind == kuscia.DataSourceDameng {
			fields = []field{{"endpoint", info.Database.Endpoint}, {"database", info.Database.Database}}
		}
	}
	for _, f := range fields {
		if f.value == "" {
			return fmt.Sprintf("%s '%s' is empty", kind, f.name), false
		}
	}
	if kind == kuscia.DataSourceODPS && !strings.HasPrefix(info.ODPS.Endpoint, "http://") && !strings.HasPrefix(info.ODPS.Endpoint, "https://") {
		return "odps 'endpoint' is invalid, should contain the prefix: http or https", false
	}
	return "", false
}

// normaliseInfo takes slashes off where the server does.
func normaliseInfo(info *kuscia.DataSourceInfo) *kuscia.DataSourceInfo {
	normal := *info
	if info.LocalFS != nil {
		normal.LocalFS = &kuscia.LocalFSInfo{Path: strings.TrimRight(info.LocalFS.Path, "/")}
	}
	if info.OSS != nil {
		oss := *info.OSS
		oss.Bucket, oss.Prefix = strings.Trim(oss.Bucket, "/"), strings.Trim(oss.Prefix, "/")
		normal.OSS = &oss
	}
	return &normal
}

// infoBehindKey reads the information of a data source from the configuration
// of the node.
func infoBehindKey(s *Server, kind, key string) (*kuscia.DataSourceInfo, error) {
	value := []byte(domainsOf(s.World).configOf(s.ownDomain()).seen(key))
	info := &kuscia.DataSourceInfo{}
	var target any
	switch kind {
	case kuscia.DataSourceLocalFS:
		info.LocalFS = &kuscia.LocalFSInfo{}
		target = info.LocalFS
	case kuscia.DataSourceOSS:
		info.OSS = &kuscia.OSSInfo{}
		target = info.OSS
	case kuscia.DataSourceODPS:
		info.ODPS = &kuscia.ODPSInfo{}
		target = info.ODPS
	default:
		info.Database = &kuscia.DatabaseInfo{}
		target = info.Database
	}
	if err := json.Unmarshal(value, target); err != nil {
		return nil, errors.New(err.Error())
	}
	return info, nil
}

// showSource is what this server shows of a data source; its own node fails
// when the information cannot be read.
func showSource(s *Server, r *record[sourceSpec]) (kuscia.DomainDataSource, error) {
	shown := kuscia.DomainDataSource{
		DomainID: r.namespace, DataSourceID: r.name, Name: r.spec.Name, Type: r.spec.Type,
		InfoKey: r.spec.InfoKey, AccessDirectly: r.spec.AccessDirectly,
	}
	if s.nodeDomain() == "" {
		return shown, nil
	}
	if r.spec.InfoKey != "" {
		info, err := infoBehindKey(s, r.spec.Type, r.spec.InfoKey)
		shown.Info = info
		return shown, err
	}
	if r.spec.Info == nil {
		return shown, errors.New("missing datasource info for " + r.spec.Name)
	}
	shown.Info = r.spec.Info
	return shown, nil
}

func findSource(s *Server, domainID, id string) (kuscia.DomainDataSource, error) {
	if complaint := sourceReadable(s, domainID); complaint != "" {
		return kuscia.DomainDataSource{}, errors.New(complaint)
	}
	if id == "" {
		return kuscia.DomainDataSource{}, fmt.Errorf("domain %s data source id can not be empty", domainID)
	}
	r := tableOf[sourceSpec](s.World).get(domainID, id)
	if r == nil {
		return kuscia.DomainDataSource{}, fmt.Errorf("get domain %s kuscia data source %s failed, %s", domainID, id, lookupError(kindSources, id))
	}
	return showSource(s, r)
}

func querySource(s *Server, _ caller, request *QueryDomainDataSourceRequest) answer {
	defer s.World.Enter()()
	shown, err := findSource(s, request.DomainID, request.DatasourceID)
	if err != nil {
		return refuseData(codeQuerySource, err.Error())
	}
	return result(shown)
}

// sourceList is the data of a batch and of a list.
type sourceList struct {
	List []kuscia.DomainDataSource `json:"datasource_list"`
}

func batchQuerySources(s *Server, _ caller, request *BatchQueryDomainDataSourceRequest) answer {
	defer s.World.Enter()()
	if len(request.Data) == 0 {
		return refuseData(codeValidate, "request data can't be empty")
	}
	list := sourceList{List: []kuscia.DomainDataSource{}}
	for _, key := range request.Data {
		shown, err := findSource(s, key.DomainID, key.DataSourceID)
		if err != nil {
			return refuseData(codeBatchSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return result(list)
}

func listSources(s *Server, _ caller, request *ListDomainDataSourceRequest) answer {
	defer s.World.Enter()()
	if request.DomainID == "" {
		return refuseData(codeValidate, "request domainID can't be empty")
	}
	if complaint := sourceReadable(s, request.DomainID); complaint != "" {
		return refuseData(codeListSource, complaint)
	}
	list := sourceList{List: []kuscia.DomainDataSource{}}
	for _, r := range tableOf[sourceSpec](s.World).in(request.DomainID) {
		shown, err := showSource(s, r)
		if err != nil {
			return refuseData(codeListSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return result(list)
}
