import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const svg = readFileSync(new URL('../anatomy.svg', import.meta.url), 'utf8')

/**
 * The colours of the light and of the dark theme: the background, then the text
 * colours.
 */
const THEMES = [...svg.matchAll(/svg\{([^}]+)\}/g)].map(([, style = '']) => {
  const [back = '', ...texts] = [
    ...style.matchAll(/--(?:back|ink|series-\d):(#\w{6})/g),
  ].map(([, colour = '']) => colour)
  return { back, texts }
})

test('in both themes, each text colour has a contrast of at least 4.5 to 1, as WCAG AA requires', () => {
  expect(THEMES.map(({ texts }) => texts.length)).toEqual([6, 6])
  for (const { back, texts } of THEMES)
    for (const colour of texts)
      expect(contrast(back, colour), colour).toBeGreaterThan(4.5)
})

describe('the anatomy of an id', () => {
  test('has a title and a description for screen readers', () => {
    expect(svg).toMatch(
      /<svg [^>]*role="img" aria-labelledby="title description"/,
    )
    expect(svg).toMatch(/<title id="title">.{10,}<\/title>/)
    expect(svg).toMatch(/<desc id="description">.{100,}<\/desc>/)
  })

  test('uses colours of the two themes only', () => {
    expect(svg.replace(/<style>.+<\/style>/, '')).not.toMatch(
      /#[0-9a-f]{3,6}\b|="(?:black|white|gray|grey)"/,
    )
  })
})

const channels = (colour: string) =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))

/** The contrast ratio of WCAG 2.2. */
function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [a, b].map(luminance).sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
