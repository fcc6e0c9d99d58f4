import { copyOnClick, create } from './dom.ts'
import { findTime, formatTime, formsOf, splitId } from './facts.ts'
import type { Mistakes } from './mistakes.ts'
import type { Id, Result } from './read.ts'

interface View {
  readonly title: string
  readonly content: readonly HTMLElement[]
}

const MAX_ROWS = 1000

export function show(result: Result, use: (text: string) => void): View {
  switch (result.kind) {
    case 'empty':
      return { title: '', content: [] }
    case 'id':
      return titled(result.name, ...showId(result.id))
    case 'typo':
      return titled(
        'You probably meant',
        ...showTypo(result, use),
        ...showId(result.id),
      )
    case 'invalid':
      return titled('Not an id', ...showMistakes(result.mistakes))
    case 'text':
      return showTable(result.ids)
  }
}

const titled = (title: string, ...content: HTMLElement[]): View => ({
  title,
  content: [create('h2', title), ...content],
})

function showId(id: Id): HTMLElement[] {
  const { main, more } = formsOf(id)
  const parts = splitId(id).map(([text, label = '']) =>
    create(
      label ? `span.part ${label}` : 'span',
      create('code', text),
      create('small', label),
    ),
  )
  return [
    create('p.picture', ...parts),
    ...showTime(findTime(id.uuid)),
    showFacts(main),
    create('details', create('summary', 'More'), showFacts(more)),
  ]
}

function showTime(time: number | undefined): HTMLElement[] {
  if (time === undefined) return [create('p.time', 'Contains no time')]
  const local = new Date(time).toLocaleString('en', {
    dateStyle: 'full',
    timeStyle: 'long',
  })
  const utc = formatTime(time).replace('T', ' ').replace('Z', ' UTC')
  return [
    create('p.time', utc),
    create('p.local', `${local}, ${formatAge(time, Date.now())}`),
  ]
}

const DAY_MS = 86_400_000

function formatAge(time: number, now: number): string {
  const days = Math.trunc((time - now) / DAY_MS)
  const years = Math.trunc(days / 365.2425)
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return years === 0 ? format.format(days, 'day') : format.format(years, 'year')
}

function showFacts(facts: Readonly<Record<string, string>>): HTMLElement {
  const rows = Object.entries(facts).map(([name, value]) => {
    const button = create('button', 'Copy')
    button.ariaLabel = `Copy ${name}`
    copyOnClick(button, name, () => value)
    const content = create('dd', create('code', value), button)
    return create('div', create('dt', name), content)
  })
  return create('dl', ...rows)
}

function showTypo(
  { expected, mistakes }: Extract<Result, { kind: 'typo' }>,
  use: (text: string) => void,
) {
  const button = create('button', 'Use it')
  button.addEventListener('click', () => use(expected))
  const meant = create('code', expected)
  return [create('p.meant', meant, ' ', button), ...showMistakes(mistakes)]
}

function showMistakes({ text, marks, messages }: Mistakes): HTMLElement[] {
  // Matches whole code points, so that an emoji is not split.
  const characters = [...text.matchAll(/./gsu)].map(
    ({ 0: character, index }) =>
      marks.includes(index) ? create('mark', character) : character,
  )
  return [
    create('p.given', create('code', ...characters)),
    create('ul', ...messages.map((message) => create('li', message))),
  ]
}

function showTable(ids: readonly (Id & { readonly text: string })[]): View {
  if (ids.length === 0)
    return titled(
      'No id found',
      create('p', 'Paste a typed id, a UUID, or lines with ids.'),
    )
  const rows = ids.slice(0, MAX_ROWS).map(({ text, prefix, uuid }) => {
    const time = findTime(uuid)
    const cells = [
      create('code', text),
      prefix || 'none',
      time === undefined ? 'unknown' : formatTime(time),
    ]
    return create('tr', ...cells.map((cell) => create('td', cell)))
  })
  const names = ['Id', 'Type', 'Created'].map((name) => create('th', name))
  const count = `${ids.length.toLocaleString('en')} ${ids.length === 1 ? 'id' : 'ids'}`
  const rest =
    ids.length > MAX_ROWS
      ? [create('p', `Shown are the first ${MAX_ROWS}.`)]
      : []
  const table = create(
    'table',
    create('thead', create('tr', ...names)),
    create('tbody', ...rows),
  )
  return titled(count, table, ...rest)
}
