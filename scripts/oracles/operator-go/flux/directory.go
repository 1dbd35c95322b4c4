//go:build !glob

package flux

import "embed"

// Manifests holds the whole directory.
//
//go:embed manifests
var Manifests embed.FS
