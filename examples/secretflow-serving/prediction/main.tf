locals {
  headers = { Kuscia-Source = var.domain_id }
}

# A check that fails is a warning, which blocks neither plan nor apply.
check "prediction" {
  data "http" "prediction" {
    url             = "${var.gateway}/PredictionService/Predict"
    method          = "POST"
    request_headers = merge(local.headers, { Host = var.service, Content-Type = "application/json" })

    request_body = jsonencode({
      service_spec = { id = var.serving_id }
      fs_params    = { for domain, keys in var.query : domain => { query_datas = keys } }
    })
  }

  # The code 1 is success.
  assert {
    condition     = try(jsondecode(data.http.prediction.response_body).status.code, 0) == 1
    error_message = "No prediction, status ${data.http.prediction.status_code}: ${substr(data.http.prediction.response_body, 0, 500)}"
  }
  assert {
    condition     = length(try(jsondecode(data.http.prediction.response_body).results, [])) == max([for keys in var.query : length(keys)]...)
    error_message = "Not one result per row: ${substr(data.http.prediction.response_body, 0, 500)}"
  }
}

check "metrics" {
  data "http" "metrics" {
    url             = "${var.gateway}/metrics"
    request_headers = merge(local.headers, { Host = var.metrics })
  }

  assert {
    condition     = strcontains(data.http.metrics.response_body, "prediction_request_count")
    error_message = "No metrics of predictions, status ${data.http.metrics.status_code}."
  }
}
