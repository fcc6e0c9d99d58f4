import { drawPicture, drawText, round, series } from 'testkit/svg.ts'
import { type Frame, LAYER_TITLES, layerOf } from './profile.ts'

/** The stacks of one server, and its processor time for one response in microseconds. */
export interface Flame {
  readonly title: string
  readonly root: Frame
  readonly microseconds: number
}

const [WIDTH, LEFT, ROW, HEADER] = [720, 16, 17, 34]
/** The width of a character of a label. */
const CHARACTER = 6.1
/** Narrower frames are left out, with what they call. */
const MIN_WIDTH = 5

/** Draws flame graphs on one scale, so that equal widths are equal times. Callers are above what they call. */
export function drawFlames(workload: string, flames: readonly Flame[], machine: string): string {
  const longest = Math.max(...flames.map(({ microseconds }) => microseconds))
  const body: string[] = []
  let y = 16
  for (const { title, root, microseconds } of flames) {
    const scale = ((WIDTH - 2 * LEFT) * microseconds) / longest / root.us
    body.push(drawText(LEFT, y + 16, `${title}: ${microseconds.toFixed(1)} µs`, 'font-weight="600"'))
    const depth = drawFrames(body, root.children, LEFT, y + HEADER, scale)
    y += HEADER + depth * ROW + 16
  }
  for (const [n, title] of LAYER_TITLES.entries()) {
    const x = LEFT + (n % 3) * 230
    body.push(
      fill(x, y + Math.floor(n / 3) * 24, 14, n),
      drawText(x + 22, y + 13 + Math.floor(n / 3) * 24, title),
    )
  }
  const height = y + Math.ceil(LAYER_TITLES.length / 3) * 24 + 30
  body.push(drawText(LEFT, height - 14, machine, 'font-size="12"'))
  return drawPicture({
    width: WIDTH,
    height,
    title: `Flame graphs of ${workload}`,
    description: `Where the processor time of a response goes, on one scale. ${flames.map(({ title, microseconds }) => `${title}: ${microseconds.toFixed(1)} microseconds`).join('. ')}. The table on the page has the time of each part.`,
    body,
  })
}

/** Draws frames side by side, and what they call below them. Returns the number of rows. */
function drawFrames(
  body: string[],
  frames: readonly Frame[],
  left: number,
  y: number,
  scale: number,
): number {
  let x = left
  let depth = 0
  for (const frame of frames.toSorted((a, b) => b.us - a.us)) {
    const width = frame.us * scale
    if (width < MIN_WIDTH) break
    body.push(fill(x, y, width - 1, layerOf(frame)))
    const name = frame.name || '(anonymous)'
    const label = name.slice(0, Math.max(0, Math.floor((width - 7) / CHARACTER)))
    if (label === name || label.length > 3)
      body.push(drawText(x + 3, y + 11.5, label, 'font-size="10" font-family="monospace"'))
    depth = Math.max(depth, 1 + drawFrames(body, frame.children, x, y + ROW, scale))
    x += width
  }
  return depth
}

const fill = (x: number, y: number, width: number, layer: number) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${ROW - 2}" rx="2" fill="${series(layer)}" opacity=".3"/>`
