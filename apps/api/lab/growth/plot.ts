/** The figures of one workload, by the size of the database. */
export interface Line {
  readonly name: string
  readonly title: string
  readonly points: { readonly users: number; readonly perSecond: number; readonly p99: number }[]
}

const WIDTH = 420
const HEIGHT = 260
const LEFT = 60
const TOP = 40
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']

/** Draws two charts, requests per second and p99 by number of users, as an SVG. All axes are logarithmic. */
export function plot(lines: readonly Line[], machine: string): string {
  const panels = [
    drawPanel(lines, 'requests per second', (point) => point.perSecond, 0),
    drawPanel(lines, 'p99, ms', (point) => point.p99, WIDTH + LEFT + 20),
  ]
  const legend = lines.map(({ title }, n) => {
    const y = TOP + HEIGHT + 60 + n * 18
    return `<rect x="${LEFT}" y="${y - 9}" width="12" height="12" fill="${pickColour(n)}"/><text x="${LEFT + 18}" y="${y}">${escapeXml(title)}</text>`
  })
  const height = TOP + HEIGHT + 60 + lines.length * 18 + 20
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${2 * (WIDTH + LEFT) + 80}" height="${height}" font-family="sans-serif" font-size="12" fill="#444">`,
    '<title>Requests per second and p99 by users in the database</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...panels,
    ...legend,
    `<text x="${LEFT}" y="${height - 10}" font-size="10">${escapeXml(machine)}</text>`,
    '</svg>\n',
  ].join('\n')
}

type Point = Line['points'][number]

function drawPanel(
  lines: readonly Line[],
  title: string,
  value: (point: Point) => number,
  offset: number,
): string {
  const points = lines.flatMap((line) => line.points)
  const x = createScale(
    points.map((point) => point.users),
    offset + LEFT,
    offset + LEFT + WIDTH,
  )
  const y = createScale(points.map(value), TOP + HEIGHT, TOP)
  const grid = findPowersOfTen(points.map(value)).map(
    (tick) =>
      `<line x1="${offset + LEFT}" x2="${offset + LEFT + WIDTH}" y1="${y(tick)}" y2="${y(tick)}" stroke="#ddd"/><text x="${offset + LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
  )
  const sizes = [...new Set(points.map((point) => point.users))].map(
    (users) =>
      `<text x="${x(users)}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${users.toLocaleString('en')}</text>`,
  )
  const curves = lines.map(({ points }, n) => {
    const at = points.map((point) => `${x(point.users).toFixed(1)},${y(value(point)).toFixed(1)}`)
    const dots = at.map(
      (point) =>
        `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${pickColour(n)}"/>`,
    )
    return `<polyline points="${at.join(' ')}" fill="none" stroke="${pickColour(n)}" stroke-width="2"/>${dots.join('')}`
  })
  return [
    `<text x="${offset + LEFT}" y="${TOP - 16}" font-weight="bold">${title}, by users in the database</text>`,
    ...grid,
    ...sizes,
    ...curves,
  ].join('\n')
}

/** Maps values to positions on a logarithmic axis that starts and ends at a power of ten. */
function createScale(values: number[], from: number, to: number): (value: number) => number {
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ]
  return (value) => from + ((Math.log10(value) - low) / Math.max(1, high - low)) * (to - from)
}

function findPowersOfTen(values: number[]): number[] {
  const [low, high] = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ]
  return Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n))
}

const pickColour = (n: number) => COLOURS[n % COLOURS.length]

const escapeXml = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
