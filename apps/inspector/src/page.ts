import { TypedIdError } from 'typed-id'
import { explainInvalid } from 'typed-id/internal/src/core/invalid.ts'
import { announce, create, find } from './dom.ts'
import { EXAMPLES } from './examples.ts'
import { createCard, createForeignCard } from './facts-view.ts'
import { findForeign } from './foreign.ts'
import { startInput } from './input.ts'
import { startLog } from './log-page.ts'
import { startMaking } from './make.ts'
import { findNearMiss } from './near-miss.ts'
import { findReadings } from './readings.ts'
import { startTheme } from './theme.ts'

/** The version of the package, which the build inserts. */
declare const VERSION: string

/** @param program the source of this program, which the worker runs, too */
export function startPage(program: string): void {
  const facts = find('facts')
  const log = startLog(program, facts, showNothing)
  const input = startInput({ showText, showLog })
  find('version').textContent = VERSION
  startTheme()
  startMaking((text) => {
    input.set(text)
    find('input').focus()
  })
  for (const [name, text] of EXAMPLES) {
    const button = create('button', { type: 'button', class: 'chip' }, name)
    button.addEventListener('click', () => input.set(text()))
    find('examples').append(create('li', {}, button))
  }
  // Hides the links of the site in the offline file.
  if (location.protocol.startsWith('http')) {
    for (const link of document.querySelectorAll<HTMLElement>('.site, .offline')) link.hidden = !link.hidden
  }
  input.readFragment()

  /** Shows the input as one value if it can be read as one, otherwise as a log. */
  function showText(text: string): void {
    const isLine = !/\n/.test(text.trim())
    const readings = isLine ? findReadings(text) : []
    const foreign = isLine ? findForeign(text) : []
    const count = readings.length + foreign.length
    const isLog = text.trim() !== '' && count === 0
    if (isLog) {
      showLog(new Blob([text]))
      return
    }
    log.close()
    setState(count === 0 ? 'empty' : 'value')
    if (count > 1) facts.append(create('p', {}, `This can be read in ${count} ways, the most likely first.`))
    const certain = foreign.filter(({ likelihood }) => likelihood === 'is')
    const others = foreign.filter((other) => !certain.includes(other))
    facts.append(...certain.map(createForeignCard))
    facts.append(...readings.map((reading) => createCard(reading, input.set)))
    facts.append(...others.map(createForeignCard))
    const [first] = [...certain, ...readings, ...others]
    const isReading = first !== undefined && 'corrections' in first
    announce(
      isReading && first.corrections.length > 0
        ? `Not an id. Did you mean ${first.expected}?`
        : (first?.kind ?? ''),
    )
  }

  function showLog(blob: Blob): void {
    setState('log')
    log.open(blob)
  }

  /** Explains why a line is not an id, with the library's error message. */
  function showNothing(): void {
    const text = input.text().trim()
    const isLine = text !== '' && text.length < 200 && !text.includes('\n')
    const reason = isLine
      ? new TypedIdError(...explainInvalid('<prefix>', text)).message
      : 'Lines are searched for typed ids and uuids. Enter an id of another kind alone.'
    const misses = isLine ? findNearMiss(text) : []
    facts.replaceChildren(
      create('p', { class: 'nothing' }, 'No id found. ', create('code', {}, reason)),
      create('ul', { class: 'misses' }, ...misses.map((miss) => create('li', {}, miss))),
    )
  }

  function setState(state: 'empty' | 'value' | 'log'): void {
    document.body.dataset.state = state
    facts.replaceChildren()
  }
}
