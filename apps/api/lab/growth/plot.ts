import { drawPicture, drawText, round, series } from '../../../../docs/pictures/svg.ts'

/** The figures of one workload, by the size of the database. */
export interface Line {
  readonly name: string
  readonly title: string
  readonly points: { readonly users: number; readonly perSecond: number; readonly p99: number }[]
}

type Point = Line['points'][number]

const [WIDTH, HEIGHT] = [440, 200]
const [LEFT, TOP] = [80, 48]
/** From the top of one chart to the top of the next. */
const PANEL = TOP + HEIGHT + 36

/** Draws two charts, requests per second and p99 by number of users, as an SVG. All axes are logarithmic. */
export function plot(lines: readonly Line[], machine: string): string {
  const title = 'Requests per second and p99 by users in the database'
  const legend = 2 * PANEL + 24
  return drawPicture({
    width: LEFT + WIDTH + 40,
    height: legend + lines.length * 22 + 36,
    title,
    description: `Two line charts with logarithmic axes. ${lines.map(describeLine).join('. ')}.`,
    body: [
      ...drawPanel(lines, 'requests per second, by users in the database', (point) => point.perSecond, 0),
      ...drawPanel(lines, 'p99 in ms, by users in the database', (point) => point.p99, PANEL),
      ...lines.flatMap(({ title }, n) => [
        `<rect x="${LEFT}" y="${legend + n * 22 - 11}" width="12" height="12" rx="2" fill="${series(n)}"/>`,
        drawText(LEFT + 20, legend + n * 22, title),
      ]),
      drawText(LEFT, legend + lines.length * 22 + 12, machine, 'font-size="12"'),
    ],
  })
}

function describeLine({ title, points }: Line): string {
  const [first, last] = [points[0], points.at(-1)].map((point) =>
    point === undefined
      ? ''
      : `${Math.round(point.perSecond).toLocaleString('en')} per second with ${point.users.toLocaleString('en')} users`,
  )
  return `${title}: ${first}, ${last}`
}

function drawPanel(
  lines: readonly Line[],
  title: string,
  value: (point: Point) => number,
  top: number,
): string[] {
  const points = lines.flatMap((line) => line.points)
  const bottom = top + TOP + HEIGHT
  const x = createScale(
    points.map((point) => point.users),
    LEFT,
    LEFT + WIDTH,
  )
  const y = createScale(points.map(value), bottom, top + TOP)
  const grid = findPowersOfTen(points.map(value)).flatMap((tick) => [
    `<line x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${round(y(tick))}" y2="${round(y(tick))}" stroke="var(--line)"/>`,
    drawText(LEFT - 8, y(tick) + 5, tick.toLocaleString('en'), 'text-anchor="end"'),
  ])
  const sizes = [...new Set(points.map((point) => point.users))].map((users) =>
    drawText(x(users), bottom + 20, users.toLocaleString('en'), 'text-anchor="middle"'),
  )
  const curves = lines.map(({ points }, n) => {
    const at = points.map((point) => [round(x(point.users)), round(y(value(point)))] as const)
    const dots = at.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${series(n)}"/>`)
    return `<polyline points="${at.join(' ')}" fill="none" stroke="${series(n)}" stroke-width="2"/>${dots.join('')}`
  })
  return [drawText(LEFT, top + 28, title, 'font-weight="600"'), ...grid, ...sizes, ...curves]
}

/** Maps values to positions on a logarithmic axis that starts and ends at a power of ten. */
function createScale(values: number[], from: number, to: number): (value: number) => number {
  const [low, high] = findExponents(values)
  return (value) => from + ((Math.log10(value) - low) / Math.max(1, high - low)) * (to - from)
}

function findPowersOfTen(values: number[]): number[] {
  const [low, high] = findExponents(values)
  return Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n))
}

function findExponents(values: number[]): [low: number, high: number] {
  return [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
}
