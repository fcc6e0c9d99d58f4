/**
 * Draws docs/anatomy.svg from the parts of an id that the inspector shows:
 * `pnpm generate`. A test fails when it differs.
 */
import { writeFileSync } from 'node:fs'
import { type Part, splitId } from 'inspector/facts.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { defineId } from 'typed-id'

/**
 * What the second part of the short form contains: 5 bits per character do not
 * divide it at the same places.
 */
const REST = 'version, counter, random'

const COLOURS: Readonly<Record<string, string>> = {
  type: 'series-0',
  time: 'series-2',
  version: 'ink',
  counter: 'series-1',
  random: 'series-3',
  [REST]: 'series-5',
}

/** What the parts contain, for screen readers. */
const CONTENTS =
  'type: a prefix of letters and digits. time: TIME, in 48 bits. version: 7, for UUIDs that start with a time (RFC 9562). counter: 26 bits and the variant, for the order within a millisecond. random: 48 bits, new for each id. In the short form, each character has 5 bits.'

const THEMES = {
  light:
    '--back:#ffffff;--ink:#2c2c33;--series-0:#0067a5;--series-1:#b84a00;--series-2:#007a55;--series-3:#a8437f;--series-5:#5a55c8',
  dark: '--back:#1b1b1f;--ink:#dfdfd6;--series-0:#4aa8e8;--series-1:#ff8c42;--series-2:#2fc491;--series-3:#e58fc1;--series-5:#a9a5ff',
}

/** The width of a character of an id, and the space beside the picture. */
const [WIDTH, MARGIN] = [10.4, 20]

/**
 * Draws an id below a caption: its parts in colours, and the label of each part
 * below it.
 */
function drawForm(
  caption: string,
  parts: readonly Part[],
  top: number,
): string {
  const length = parts.reduce((sum, [text]) => sum + text.length, 0) * WIDTH
  let x = MARGIN
  const texts: string[] = []
  const labels: string[] = []
  for (const [text, label] of parts) {
    const fill = `var(--${COLOURS[label ?? ''] ?? 'ink'})`
    const width = text.length * WIDTH
    texts.push(label ? `<tspan fill="${fill}">${text}</tspan>` : text)
    if (label) {
      const isNarrow = text.length === 1 // its label would touch the next one if it were centred
      const anchor = isNarrow ? 'end' : 'middle'
      const [start, at] = [x + 1, x + width / (isNarrow ? 1 : 2)].map(
        (number) => number.toFixed(1),
      )
      labels.push(
        `<rect x="${start}" y="${top + 38}" width="${(width - 2).toFixed(1)}" height="3" fill="${fill}"/>`,
      )
      labels.push(
        `<text x="${at}" y="${top + 56}" text-anchor="${anchor}" font-size="12" fill="${fill}">${label}</text>`,
      )
    }
    x += width
  }
  return `<text x="${MARGIN}" y="${top}">${caption}</text>
<text x="${MARGIN}" y="${top + 30}" textLength="${length.toFixed(1)}" font-family="ui-monospace, monospace" font-size="17" font-weight="600">${texts.join('')}</text>
${labels.join('\n')}`
}

export function drawAnatomy(): string {
  const UserId = defineId('user')
  const id = UserId.example
  const short = UserId.toShort(id)
  const time = UserId.timestamp(id)?.toISOString() ?? ''
  const [type = '', suffix = ''] = short.split('_')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 467 190" width="467" height="190" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="14" fill="var(--ink)">
<title id="title">The parts of a typed id</title>
<desc id="description">The standard form ${id} and the short form ${short} contain the same type and 128 bits. ${CONTENTS.replace('TIME', time)}</desc>
<style>svg{${THEMES.light}}@media (prefers-color-scheme: dark){svg{${THEMES.dark}}}</style>
<rect width="100%" height="100%" rx="8" fill="var(--back)"/>
${drawForm('standard form, to store, compare and send', splitId({ prefix: type, uuid: UserId.toUuid(id) }), 28)}
${drawForm(
  'short form, a TypeID, for people and URLs',
  [
    [type, 'type'],
    ['_'],
    [suffix.slice(0, 10), 'time'],
    [suffix.slice(10), REST],
  ],
  116,
)}
</svg>
`
}

export const ANATOMY = new URL('docs/anatomy.svg', REPOSITORY)

if (import.meta.main) writeFileSync(ANATOMY, drawAnatomy())
