package ief

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// protocol signs requests, or sends a token, and classifies responses by the
// codes of IEF.
type protocol struct {
	config Config
	now    func() time.Time
}

// maxSigned is the maximum size of a signed request for the gateway of the
// service.
const maxSigned = 12 << 20

// Authorize signs every attempt: a signature is valid for some minutes.
func (p protocol) Authorize(request *http.Request, body []byte) error {
	if p.config.Token != "" {
		request.Header.Set(headerToken, p.config.Token)
		return nil
	}
	if len(body) > maxSigned {
		return fmt.Errorf("the request has %d bytes, but at most %d can be signed", len(body), maxSigned)
	}
	request.Header.Set(headerProject, p.config.ProjectID)
	if p.config.SecurityToken != "" {
		request.Header.Set(headerSecurityToken, p.config.SecurityToken)
	}
	Sign(request, body, p.config.AccessKey, p.config.SecretKey, p.now())
	return nil
}

// Classify classifies a response.
func (p protocol) Classify(call *httpapi.Call, response *http.Response, body []byte) httpapi.Classification {
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return classifySuccess(call, response, body)
	}
	c := httpapi.ClassifyStatus(call, response, body)
	var failure struct {
		Code    string `json:"error_code"`
		Message string `json:"error_msg"`
	}
	if httpapi.DecodeText(string(body), &failure) != nil || failure.Code == "" {
		if c.Kinds[0] == apierror.ErrNotFound { //nolint:errorlint // the kind itself
			// A 404 of a gateway is not about the object.
			c.Kinds, c.Cause = []error{apierror.ErrUnexpectedResponse}, httpapi.CauseNotThisAPI
		}
		return c
	}
	c.Code, c.Message = failure.Code, failure.Message
	if id := response.Header.Get("X-Request-Id"); id != "" {
		c.Message += " (request " + id + ")"
	}
	switch {
	case failure.Code == codeDenied:
		c.Kinds = []error{apierror.ErrUnauthorized}
	case failure.Code == codeNoAPI, response.StatusCode == http.StatusNotFound && ofGateway(failure.Code):
		c.Kinds = []error{apierror.ErrUnsupported}
	case response.StatusCode == http.StatusConflict:
		c.Kinds = []error{apierror.ErrExists}
	}
	return c
}

// ofGateway reports whether a code is from the gateway in front of IEF. Its 404
// is about the API, not about the object.
func ofGateway(code string) bool {
	return strings.HasPrefix(code, "APIG.") || strings.HasPrefix(code, "APIGW.")
}

// classifySuccess classifies a response with status 2xx, in which v2 reports
// failed upgrades. The response to a delete has no body.
func classifySuccess(call *httpapi.Call, response *http.Response, body []byte) httpapi.Classification {
	if call.Method == http.MethodDelete {
		return httpapi.Classification{}
	}
	var upgrade struct {
		Result string `json:"upgrade_ret"`
		Reason string `json:"reason"`
	}
	document, err := httpapi.NewDocument(body)
	if errors.Is(err, httpapi.ErrNotJSON) {
		return httpapi.ClassifyNotJSON(call, response, body)
	}
	if err != nil {
		return httpapi.ClassifyMalformed(call, err)
	}
	if document.Decode(&upgrade) == nil && upgrade.Result != "" && upgrade.Result != "success" {
		return httpapi.Classification{Failed: true, Kinds: []error{apierror.ErrInvalid}, Message: "the upgrade ended with " + upgrade.Result + ": " + upgrade.Reason}
	}
	return httpapi.Classification{Data: document}
}

// Hint returns what to do about an error.
func (p protocol) Hint(e *apierror.Error) string { return hint(e) }

// maskField masks the values of environment variables, commands and arguments in logged bodies.
func maskField(name string, value any) (masked any, secret bool) {
	switch name {
	case "command", "args", "exec_command":
		return httpapi.MaskAll(value), true
	case "envs":
	default:
		return nil, false
	}
	if value == nil {
		return nil, true
	}
	return httpapi.MaskEnv(value), true
}
