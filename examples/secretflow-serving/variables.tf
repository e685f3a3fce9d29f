variable "image_tag" {
  description = "Version of SecretFlow-Serving."
  type        = string
  default     = "0.9.0b0"
}

variable "model_version" {
  description = "Version of the model. Another one replaces the pods of both parties."
  type        = number
  default     = 1
}

variable "alice_node" {
  description = "KusciaAPI of alice's node: its address, and the directory with its token and certificates."
  type        = object({ endpoint = string, certs_dir = string })
}

variable "alice_bucket" {
  description = "Bucket with alice's models. Increment keys_version when its keys change."
  type        = object({ endpoint = string, bucket = string, keys_version = optional(number, 1) })
}

variable "alice_bucket_keys" {
  description = "Access key of alice's bucket. Stored neither in state nor in plan files."
  type        = object({ access_key = string, secret_key = string })
  sensitive   = true
  ephemeral   = true
}

variable "alice_model_from" {
  description = "Where alice's pods get their part of the model: file, bucket, http or data_mesh."
  type        = string
  default     = "bucket"

  validation {
    condition     = contains(["file", "bucket", "http", "data_mesh"], var.alice_model_from)
    error_message = "One of file, bucket, http and data_mesh."
  }
}

variable "alice_features_from" {
  description = "Where alice's pods get features: mock, http or csv."
  type        = string
  default     = "http"

  validation {
    condition     = contains(["mock", "http", "csv"], var.alice_features_from)
    error_message = "One of mock, http and csv."
  }
}

variable "gateway" {
  description = "Address of the gateway of alice's node (port 80 of its container), such as http://192.0.2.1, to ask for a prediction and for metrics in every plan and apply. null asks for none."
  type        = string
  default     = null
}
