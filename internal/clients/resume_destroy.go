package clients

// ResumeDestroy is the last paragraph of errors of a plan that come from the objects on the
// server. A destroy first plans the configuration as if it were applied, so that after an
// interrupted destroy such an error would also keep the rest from being destroyed.
const ResumeDestroy = "To continue a destroy that was interrupted: terraform destroy -refresh=false."
