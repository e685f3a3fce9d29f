package appimage

import "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"

// probeData is a probe in a response: lists are never null.
type (
	probeData struct {
		Exec                          *execData               `json:"exec"`
		HTTPGet                       *httpGetData            `json:"http_get"`
		TCPSocket                     *kuscia.TCPSocketAction `json:"tcp_socket"`
		GRPC                          *kuscia.GRPCAction      `json:"grpc"`
		InitialDelaySeconds           int32                   `json:"initial_delay_seconds"`
		TimeoutSeconds                int32                   `json:"timeout_seconds"`
		PeriodSeconds                 int32                   `json:"period_seconds"`
		SuccessThreshold              int32                   `json:"success_threshold"`
		FailureThreshold              int32                   `json:"failure_threshold"`
		TerminationGracePeriodSeconds kuscia.Int64            `json:"termination_grace_period_seconds"`
	}
	execData struct {
		Command []string `json:"command"`
	}
	httpGetData struct {
		Path        string              `json:"path"`
		Port        string              `json:"port"`
		Host        string              `json:"host"`
		Scheme      string              `json:"scheme"`
		HTTPHeaders []kuscia.HTTPHeader `json:"http_headers"`
	}
)

func showProbe(p *kuscia.Probe) *probeData {
	if p == nil {
		return nil
	}
	data := &probeData{
		TCPSocket: p.TCPSocket, GRPC: p.GRPC,
		InitialDelaySeconds: p.InitialDelaySeconds, TimeoutSeconds: p.TimeoutSeconds,
		PeriodSeconds: p.PeriodSeconds, SuccessThreshold: p.SuccessThreshold,
		FailureThreshold:              p.FailureThreshold,
		TerminationGracePeriodSeconds: p.TerminationGracePeriodSeconds,
	}
	if p.Exec != nil {
		data.Exec = &execData{Command: notNil(p.Exec.Command)}
	}
	if p.HTTPGet != nil {
		data.HTTPGet = &httpGetData{
			Path: p.HTTPGet.Path, Port: p.HTTPGet.Port, Host: p.HTTPGet.Host,
			Scheme: p.HTTPGet.Scheme, HTTPHeaders: notNil(p.HTTPGet.HTTPHeaders),
		}
	}
	return data
}
