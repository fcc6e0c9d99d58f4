import { createReader } from 'typed-id/internal/src/cli/form.ts'
import { createColours } from './colours.ts'
import { announce, create, find } from './dom.ts'
import { EXAMPLES } from './examples.ts'
import { createCard, createForeignCard } from './facts-view.ts'
import { findForeign } from './foreign.ts'
import { startInput } from './input.ts'
import { createLegend } from './legend.ts'
import type { Progress } from './log.ts'
import { createLogClient } from './log-client.ts'
import { createLogView, type ShownId } from './log-view.ts'
import { startMaking } from './make.ts'
import { findNearMiss } from './near-miss.ts'
import { findReadings } from './readings.ts'
import { summarize } from './summary.ts'
import type { TypeCount } from './tally.ts'
import { startTheme } from './theme.ts'

/** The program of the worker and the version of the package, which the build puts here. */
declare const WORKER: string
declare const VERSION: string

const body = document.body
const facts = find('facts')
const colourOf = createColours()
let types: readonly TypeCount[] = []
let shownRevision = 0 // of the log and the filter
let isAnnounced = false

const client = createLogClient(WORKER, showProgress, showFailure)
const legend = createLegend(find('legend'), colourOf, client.filter)
const logView = createLogView(find('log'), client, (type) => colourOf(types[type]?.name ?? ''), showId)

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
// The offline file has no site next to it.
if (location.protocol.startsWith('http')) {
  for (const link of document.querySelectorAll<HTMLElement>('.site, .offline')) link.hidden = !link.hidden
}
input.readFragment()

/** Shows a text: as one value if it can be read as one, and otherwise as a log. */
function showText(text: string): void {
  const isLine = !/\n/.test(text.trim())
  const readings = isLine ? findReadings(text) : []
  const foreign = isLine ? findForeign(text) : []
  const certain = foreign.filter(({ likelihood }) => likelihood === 'is')
  client.close()
  if (text.trim() === '') setState('empty')
  else if (readings.length + foreign.length === 0) showLog(new Blob([text]))
  else {
    setState('value')
    const count = readings.length + foreign.length
    if (count > 1) facts.append(create('p', {}, `This can be read in ${count} ways, the most likely first.`))
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
}

function showLog(log: Blob): void {
  setState('log')
  isAnnounced = false
  types = []
  legend.clear()
  logView.reset()
  client.open(log)
}

function showProgress(progress: Progress, revision: number): void {
  if (body.dataset.state !== 'log') return
  types = progress.types
  const isDone = progress.read === progress.size
  const summary = summarize(progress)
  find('summary').textContent = isDone ? summary : `${summary}, searching…`
  const bar = find<HTMLProgressElement>('progress')
  bar.value = progress.read / progress.size
  bar.hidden = isDone
  legend.update(types)
  logView.update(progress.shown, revision !== shownRevision)
  if (isDone) announce(isAnnounced ? `${progress.shown.toLocaleString('en')} rows shown` : summary)
  if (isDone && types.length === 0) showNothing()
  shownRevision = revision
  isAnnounced = isDone
}

/** Reports that a file was removed or changed after it was opened. */
function showFailure(reason: string): void {
  const message = `The file cannot be read any more. ${reason}`
  find('summary').textContent = message
  find('progress').hidden = true
  announce(message)
}

/** Explains why a line is no id, with the message of the library. */
function showNothing(): void {
  const text = input.text().trim()
  const result = createReader('any', undefined)(text)
  const isLine = text !== '' && text.length < 200 && !text.includes('\n')
  const reason = isLine && result instanceof Error ? result.message : ''
  const misses = isLine ? findNearMiss(text) : []
  facts.replaceChildren(
    create('p', { class: 'nothing' }, 'No id found. ', create('code', {}, reason)),
    create('ul', { class: 'misses' }, ...misses.map((miss) => create('li', {}, miss))),
  )
}

/** Shows an id that was selected in the log. */
function showId({ text, id }: ShownId): void {
  const [reading] = [...findReadings(text), ...findReadings(id)].filter(
    ({ expected }) => expected.toLowerCase() === id.toLowerCase(),
  )
  facts.replaceChildren(...(reading ? [createCard(reading)] : []))
}

function setState(state: 'empty' | 'value' | 'log'): void {
  body.dataset.state = state
  facts.replaceChildren()
}
