/* Draws docs/anatomy.svg, the parts of an id: `node tools/documents/anatomy.ts` */
import { writeFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/repository.ts'
import { drawPicture, drawText, round, series } from 'testkit/svg.ts'
import { defineId } from 'typed-id'

const FILE = new URL('docs/anatomy.svg', REPOSITORY)
const [LEFT, DIGIT] = [20, 10.4]
const MONOSPACE = 'font-family="ui-monospace, monospace" font-size="17" font-weight="600"'

const UserId = defineId('user')
const id = UserId.example
const short = UserId.toShort(id)
const time = UserId.timestamp(id)?.toISOString()

/** Parts of a text with the number of their colour. Separators have none. */
type Parts = readonly (readonly [text: string, colour?: number])[]

const standardParts: Parts = [
  ['user', 0],
  ['-'],
  [id.slice(5, 18), 1],
  ['-'],
  [id.slice(19, 20), 2],
  [id.slice(20, 28), 3],
  ['-'],
  [id.slice(29), 4],
]
/** The time fills the first ten of 26 characters: 2 zeros and 48 bits. The others have 5 bits of the rest each. */
const shortParts: Parts = [['user', 0], ['_'], [short.slice(5, 15), 1], [short.slice(15), 5]]

const LEGEND = [
  ['type', 'a prefix of letters and digits'],
  ['time', `${time}, in 48 bits`],
  ['version', '7: UUIDs that start with a time (RFC 9562)'],
  ['counter', '26 bits and the variant: order within a millisecond'],
  ['random', '48 bits, new for each id'],
  ['the rest', 'version, counter and random, 5 bits per character'],
] as const

export const anatomy = (): string =>
  drawPicture({
    width: 500,
    height: 304,
    title: 'Anatomy of a typed id',
    description: `The standard form ${id} and the short form ${short} contain the same type and 128 bits. ${LEGEND.map(([name, text]) => `${name}: ${text}`).join('. ')}.`,
    body: [
      drawText(LEFT, 32, 'standard form, to store, compare and send'),
      ...drawParts(standardParts, 58),
      drawText(LEFT, 98, 'short form, a TypeID, for people and URLs'),
      ...drawParts(shortParts, 124),
      ...LEGEND.flatMap(([name, text], n) => drawLegend(160 + n * 24, n, name, text)),
    ],
  })

function drawParts(parts: Parts, y: number): string[] {
  let x = LEFT
  const lines = parts.map(([text, colour]) => {
    const [start, width] = [x, text.length * DIGIT]
    x += width
    return colour === undefined
      ? ''
      : `<rect x="${round(start + 1)}" y="${y + 7}" width="${round(width - 2)}" height="3" fill="${series(colour)}"/>`
  })
  const spans = parts.map(([text, colour]) =>
    colour === undefined ? text : `<tspan fill="${series(colour)}">${text}</tspan>`,
  )
  return [
    `<text x="${LEFT}" y="${y}" textLength="${round(x - LEFT)}" ${MONOSPACE}>${spans.join('')}</text>`,
    lines.join(''),
  ]
}

function drawLegend(y: number, colour: number, name: string, text: string): string[] {
  return [
    `<rect x="${LEFT}" y="${y - 10}" width="12" height="12" rx="2" fill="${series(colour)}"/>`,
    drawText(LEFT + 20, y, name, 'font-weight="600"'),
    drawText(LEFT + 96, y, text),
  ]
}

if (import.meta.main) writeFileSync(FILE, anatomy())
