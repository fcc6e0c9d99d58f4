/*
 * Compiles the blocks marked with `twoslash` when the site is built. The site shows the compiler's errors in
 * place of the comments `@ts-expect-error`, which the tests of the examples need.
 */
import { rendererRich, transformerTwoslash } from '@shikijs/twoslash'

/** The declarations that the examples of the guide use. */
const PRELUDE = `import { defineId, type IdOf } from 'typed-id'
const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>
// ---cut---
`

const showErrors: ReturnType<typeof transformerTwoslash> = {
  name: 'show-errors',
  preprocess(code, { meta }) {
    if (!/\btwoslash\b/.test(meta?.__raw ?? '')) return code
    const shown = code.replace(/^ *\/\/ @ts-expect-error.*\n/gm, '')
    return /const UserId|import \{.*\bdefineId\b/.test(code) ? shown : PRELUDE + shown
  },
}

/** Without types on hover: their scripts would take 19 kB of the first load. */
export const compileCode = [
  showErrors,
  transformerTwoslash({
    explicitTrigger: true,
    renderer: rendererRich({ errorRendering: 'line' }),
    twoslashOptions: { handbookOptions: { noErrorValidation: true }, shouldGetHoverInfo: () => false },
  }),
]
