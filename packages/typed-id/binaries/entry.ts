// The binaries contain no package.json, so the version is compiled in.
import manifest from '../package.json' with { type: 'json' }
import { main } from '../src/cli/main.ts'

main(manifest.version)
