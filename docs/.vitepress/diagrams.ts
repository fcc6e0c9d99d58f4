/* Draws the Mermaid diagrams of the pages when the site is built, in the colours of the theme. */
import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

const COLORS = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true }

export function drawDiagrams({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules
  renderer.rules.fence = (tokens, i, ...rest) => {
    const { info, content } = tokens[i] as (typeof tokens)[number]
    if (info !== 'mermaid') return fence?.(tokens, i, ...rest) ?? ''
    // Removes the @import of the picture's style, which would load a font from another host.
    const svg = renderMermaidSVG(content, COLORS).replace(/@import .+;\n/, '')
    // Vue accepts no <style> in a template, so an attribute contains the SVG, encoded without quotes.
    const text = encodeURIComponent(svg).replaceAll("'", '%27')
    return `<div class="diagram" role="img" aria-label="${textIn(content)}" v-html="decodeURIComponent('${text}')"></div>`
  }
}

/** Returns the labels of a flowchart, in the order of its source. */
function textIn(diagram: string): string {
  const labels = [...diagram.matchAll(/[[(]"?([^[\]()"]+)"?[\])]/g)].map(([, label]) => label)
  return `Flow: ${labels.join(', then ').replaceAll('<br>', ': ')}`
}
