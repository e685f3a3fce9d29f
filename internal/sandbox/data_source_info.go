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
func checkInfo(kind string, info *DataSourceInfo) (complaint string, unparsed bool) {
	type field struct{ name, value string }
	var fields []field
	switch kind {
	case kuscia.DataSourceLocalFS:
		if info.Localfs == nil {
			return "localfs info is nil", false
		}
		fields = []field{{"path", info.Localfs.Path}}
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
func normaliseInfo(info *DataSourceInfo) *DataSourceInfo {
	normal := *info
	if info.Localfs != nil {
		normal.Localfs = &LocalDataSourceInfo{Path: strings.TrimRight(info.Localfs.Path, "/")}
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
func (s *Sandbox) infoBehindKey(kind, key string) (*DataSourceInfo, error) {
	value := []byte(s.world.configOf(s.ownDomain()).seen(key))
	info := &DataSourceInfo{}
	var target any
	switch kind {
	case kuscia.DataSourceLocalFS:
		info.Localfs = &LocalDataSourceInfo{}
		target = info.Localfs
	case kuscia.DataSourceOSS:
		info.OSS = &OssDataSourceInfo{}
		target = info.OSS
	case kuscia.DataSourceODPS:
		info.ODPS = &OdpsDataSourceInfo{}
		target = info.ODPS
	default:
		info.Database = &DatabaseDataSourceInfo{}
		target = info.Database
	}
	if err := json.Unmarshal(value, target); err != nil {
		return nil, errors.New(err.Error())
	}
	return info, nil
}

// shownSource is a data source in an answer.
type shownSource struct {
	DomainID       string          `json:"domain_id"`
	DatasourceID   string          `json:"datasource_id"`
	Name           string          `json:"name"`
	Type           string          `json:"type"`
	Status         string          `json:"status"`
	Info           *DataSourceInfo `json:"info"`
	InfoKey        string          `json:"info_key"`
	AccessDirectly bool            `json:"access_directly"`
}

// showSource is what this server shows of a data source; its own node fails
// when the information cannot be read.
func (s *Sandbox) showSource(r *record[sourceSpec]) (shownSource, error) {
	shown := shownSource{
		DomainID: r.namespace, DatasourceID: r.name, Name: r.spec.Name, Type: r.spec.Type,
		InfoKey: r.spec.InfoKey, AccessDirectly: r.spec.AccessDirectly,
	}
	if s.nodeDomain() == "" {
		return shown, nil
	}
	if r.spec.InfoKey != "" {
		info, err := s.infoBehindKey(r.spec.Type, r.spec.InfoKey)
		shown.Info = info
		return shown, err
	}
	if r.spec.Info == nil {
		return shown, errors.New("missing datasource info for " + r.spec.Name)
	}
	shown.Info = r.spec.Info
	return shown, nil
}

func (s *Sandbox) findSource(domainID, id string) (shownSource, error) {
	if complaint := s.sourceReadable(domainID); complaint != "" {
		return shownSource{}, errors.New(complaint)
	}
	if id == "" {
		return shownSource{}, fmt.Errorf("domain %s data source id can not be empty", domainID)
	}
	r := tableOf[sourceSpec](s.world).get(domainID, id)
	if r == nil {
		return shownSource{}, fmt.Errorf("get domain %s kuscia data source %s failed, %s", domainID, id, lookupError(kindSources, id))
	}
	return s.showSource(r)
}

func (s *Sandbox) querySource(_ caller, request *QueryDomainDataSourceRequest) answer {
	defer s.world.enter()()
	shown, err := s.findSource(request.DomainID, request.DatasourceID)
	if err != nil {
		return refuseData(codeQuerySource, err.Error())
	}
	return result(shown)
}

// sourceList is the data of a batch and of a list.
type sourceList struct {
	List []shownSource `json:"datasource_list"`
}

func (s *Sandbox) batchQuerySources(_ caller, request *BatchQueryDomainDataSourceRequest) answer {
	defer s.world.enter()()
	if len(request.Data) == 0 {
		return refuseData(codeValidate, "request data can't be empty")
	}
	list := sourceList{List: []shownSource{}}
	for _, key := range request.Data {
		shown, err := s.findSource(key.DomainID, key.DatasourceID)
		if err != nil {
			return refuseData(codeBatchSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return result(list)
}

func (s *Sandbox) listSources(_ caller, request *ListDomainDataSourceRequest) answer {
	defer s.world.enter()()
	if request.DomainID == "" {
		return refuseData(codeValidate, "request domainID can't be empty")
	}
	if complaint := s.sourceReadable(request.DomainID); complaint != "" {
		return refuseData(codeListSource, complaint)
	}
	list := sourceList{List: []shownSource{}}
	for _, r := range tableOf[sourceSpec](s.world).in(request.DomainID) {
		shown, err := s.showSource(r)
		if err != nil {
			return refuseData(codeListSource, err.Error())
		}
		list.List = append(list.List, shown)
	}
	return result(list)
}
