/** Colours of text, lines and series on a light and on a dark background. A test checks their contrast. */
const LIGHT = {
  back: '#ffffff',
  ink: '#2c2c33',
  line: '#d4d4da',
  series: ['#0067a5', '#b84a00', '#007a55', '#a8437f', '#8a6100', '#5a55c8'],
}
const DARK: typeof LIGHT = {
  back: '#1b1b1f',
  ink: '#dfdfd6',
  line: '#45454d',
  series: ['#4aa8e8', '#ff8c42', '#2fc491', '#e58fc1', '#e6b325', '#a9a5ff'],
}
export const THEMES = [LIGHT, DARK]

export interface Picture {
  readonly width: number
  readonly height: number
  /** The name of the picture for screen readers. */
  readonly title: string
  /** What the picture shows, for those who cannot see it. */
  readonly description: string
  /** SVG elements. They use the colours `var(--ink)`, `var(--line)` and `series(n)`. */
  readonly body: readonly string[]
}

/**
 * Returns an SVG document. It follows `prefers-color-scheme`, which in an `img` is the color scheme of the page where
 * the browser supports that, and otherwise the one of the system. The background makes it readable in both cases.
 */
export function drawPicture({ width, height, title, description, body }: Picture): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="14" fill="var(--ink)">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(description)}</desc>`,
    `<style>svg{${variables(LIGHT)}}@media (prefers-color-scheme: dark){svg{${variables(DARK)}}}</style>`,
    '<rect width="100%" height="100%" rx="8" fill="var(--back)"/>',
    ...body,
    '</svg>\n',
  ].join('\n')
}

/** The colour of the series `n`, as a CSS value. */
export const series = (n: number): string => `var(--series-${n % LIGHT.series.length})`

/** Returns a `text` element. `attributes` are more of its attributes, such as `text-anchor="end"`. */
export function drawText(x: number, y: number, text: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeXml(text)}</text>`
}

/** Rounds a coordinate to a tenth of a pixel. */
export const round = (value: number): number => Math.round(value * 10) / 10

const escapeXml = (text: string) => text.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function variables({ back, ink, line, series }: typeof LIGHT): string {
  return [
    `--back:${back};--ink:${ink};--line:${line}`,
    ...series.map((colour, n) => `--series-${n}:${colour}`),
  ].join(';')
}
