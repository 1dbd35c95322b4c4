// Package flux embeds manifests of Flux.
package flux

import _ "embed"

// Service is a file that is also in Manifests: the linker keeps one copy of its text.
//
//go:embed manifests/flux-service.yaml
var Service string

// Controllers is a file that is also in Manifests, in memory that may be written.
//
//go:embed manifests/flux.yaml
var Controllers []byte
