import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import manifest from 'typed-id/package.json' with { type: 'json' }

const here = import.meta.dirname

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    // The first browser versions that support all features of the page, such as
    // `light-dark()`.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    define: { VERSION: JSON.stringify(manifest.version) },
  })
  return (outputFiles[0]?.text ?? '').trim()
}

const [script, style] = (await Promise.all(
  ['main.ts', 'style.css'].map(bundle),
)) as [string, string]

const hash = (text: string) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

const page = readFileSync(join(here, 'index.html'), 'utf8')
  .replace('content="policy"', () => `content="${policy}"`)
  .replace('<style></style>', () => `<style>${style}</style>`)
  .replace('<script></script>', () => `<script>${script}</script>`)
const file = process.argv[2] ?? join(here, '../dist/inspector.html')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, page)
