import { drawPicture, drawText, round, series } from 'testkit/svg.ts'
import { readTable } from './boasts.ts'

const [WIDTH, LEFT, TOP, ROW] = [400, 16, 60, 42]

interface Bar {
  readonly name: string
  /** Millions of ids per second. */
  readonly rate: number
}

/**
 * Draws the ids per second of typed-id and of the packages it is compared with, as an SVG.
 *
 * @param page docs/benchmarks.md, from whose table the picture is drawn
 */
export function drawThroughput(page: string): string {
  const bars = readBars(page).sort((a, b) => b.rate - a.rate)
  const height = TOP + bars.length * ROW + 66
  const [, ...facts] = /<!-- bench -->\n\n(.+): (.+) on (.+)/.exec(page) ?? []
  const longest = Math.max(...bars.map(({ rate }) => rate))
  return drawPicture({
    width: WIDTH,
    height,
    title: 'New ids per second of typed-id and other packages',
    description: `A bar chart, in millions of ids per second. ${bars.map(({ name, rate }) => `${name}: ${rate.toFixed(1)}`).join('. ')}.`,
    body: [
      drawText(LEFT, 34, 'new ids per second, in millions: more is better', 'font-weight="600"'),
      ...bars.flatMap(({ name, rate }, n) => drawBar(TOP + n * ROW, name, rate, rate / longest)),
      ...facts.map((fact, n) => drawText(LEFT, height - 50 + n * 18, fact, 'font-size="12"')),
    ],
  })
}

function readBars(page: string): Bar[] {
  const rows = readTable(page).filter(({ operation }) => operation === 'generate')
  const rateOf = (ns = '') => 1000 / Number(ns.replaceAll(',', ''))
  return rows.flatMap(({ text, peer }, n) => {
    const [, , ours, , theirs] = text.split('|')
    const bar = { name: peer, rate: rateOf(theirs) }
    return n === 0 ? [{ name: 'typed-id', rate: rateOf(ours) }, bar] : [bar]
  })
}

function drawBar(y: number, name: string, rate: number, share: number): string[] {
  const isOurs = name === 'typed-id'
  const colour = isOurs ? series(0) : 'var(--ink)'
  return [
    drawText(LEFT, y + 14, name, isOurs ? 'font-weight="600"' : ''),
    drawText(WIDTH - LEFT, y + 14, rate.toFixed(1), 'text-anchor="end"'),
    `<rect x="${LEFT}" y="${y + 20}" width="${round(share * (WIDTH - 2 * LEFT))}" height="10" rx="2" fill="${colour}"${isOurs ? '' : ' opacity="0.6"'}/>`,
  ]
}
