import { createCopyButton, save } from './copy.ts'
import { announce, create, find } from './dom.ts'
import { createCard } from './facts-view.ts'
import { createColours, createLegend } from './legend.ts'
import type { Progress } from './log.ts'
import { createLogClient } from './log-client.ts'
import { createLogView, type ShownId } from './log-view.ts'
import { findReadings } from './readings.ts'
import { count, summarize } from './summary.ts'
import type { Filter, TypeCount } from './tally.ts'

/** Connects the elements that show a log. Shows a selected id in `facts`, and calls `showNothing` for a log without ids. */
export function startLog(program: string, facts: HTMLElement, showNothing: () => void) {
  const colourOf = createColours()
  const search = find<HTMLInputElement>('find')
  const occurrences = find('occurrences')
  let types: readonly TypeCount[] = []
  let pressed: Filter | undefined
  let selected: ShownId | undefined
  let shownRevision = 0 // the revision of the shown log and filter
  let isOpen = false
  let isAnnounced = false

  const client = createLogClient(program, showProgress, showFailure)
  const legend = createLegend(find('legend'), colourOf, (filter) => {
    pressed = filter
    applyFilter()
  })
  const view = createLogView(find('log'), client, (type) => colourOf(types[type]?.name ?? ''), select)
  search.addEventListener('input', applyFilter)
  find('only').addEventListener('click', () => {
    search.value = selected?.id ?? ''
    applyFilter()
  })
  for (const button of occurrences.querySelectorAll<HTMLButtonElement>('[value]'))
    button.addEventListener('click', () => view.goTo(button.value as 'first'))
  const saving = create('button', { type: 'button' }, 'Save ids as CSV')
  saving.addEventListener('click', async () => save((await client.writeIds(true)) ?? new Blob(), 'ids.csv'))
  find('log-tools').append(
    createCopyButton('ids', async () => (await client.writeIds(false))?.text() ?? '', 'Copy ids'),
    saving,
  )

  /** Shows the lines with an id of the pressed types and with the searched text. */
  function applyFilter(): void {
    const text = search.value
    client.filter(text ? { types: [], invalid: false, ...pressed, text } : pressed)
  }

  function showProgress(progress: Progress, revision: number, key: number | undefined): void {
    if (!isOpen) return
    types = progress.types
    const isDone = progress.read === progress.size
    const summary = summarize(progress)
    find('summary').textContent = isDone ? summary : `${summary}, searching…`
    const bar = find<HTMLProgressElement>('progress')
    bar.value = progress.read / progress.size
    bar.hidden = isDone
    legend.update(types)
    if (revision === shownRevision) view.update(progress.shown)
    else view.show(progress.shown, search.value, key)
    shownRevision = revision
    if (!isDone) return
    announce(isAnnounced ? `${count(progress.shown, 'row')} shown` : summary)
    isAnnounced = true
    showOccurrences()
    if (types.length === 0) showNothing()
  }

  /** Reports that a file was removed or changed after it was opened. */
  function showFailure(reason: string): void {
    const message = `The file cannot be read any more. ${reason}`
    find('summary').textContent = message
    find('progress').hidden = true
    announce(message)
  }

  function select(shown: ShownId): void {
    const { text, id } = shown
    selected = shown
    showOccurrences()
    const [reading] = [...findReadings(text), ...findReadings(id)].filter(
      ({ expected }) => expected.toLowerCase() === id.toLowerCase(),
    )
    facts.replaceChildren(...(reading ? [createCard(reading)] : []))
  }

  async function showOccurrences(): Promise<void> {
    if (!selected) return
    const { id, key } = selected
    const found = await client.findOccurrences(key)
    if (!found || key !== selected?.key) return
    const [count, first, last] = [found.count, found.first, found.last].map((n) => n.toLocaleString('en'))
    occurrences.hidden = false
    find('occurrences-title').textContent =
      count === '1' ? `${id}: only in line ${first}` : `${id}: ${count} times, in lines ${first} to ${last}`
  }

  function open(log: Blob): void {
    isOpen = log.size > 0
    isAnnounced = false
    types = []
    pressed = undefined
    selected = undefined
    search.value = ''
    occurrences.hidden = true
    legend.clear()
    view.reset()
    client.open(log)
  }

  return { open, close: () => open(new Blob()) }
}
