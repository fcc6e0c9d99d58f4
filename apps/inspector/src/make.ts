import { createUuidv7, type IdType, uuidv4, uuidv7 } from 'typed-id'
import { defineType, WRITERS } from 'typed-id/internal/src/cli/form.ts'
import type { Form } from 'typed-id/internal/src/cli/found.ts'
import { createCopyButton, save } from './copy.ts'
import { announce, create, find } from './dom.ts'

/** Starts the form that generates ids. `inspect` shows the ids in the inspector. */
export function startMaking(inspect: (text: string) => void): void {
  const form = find<HTMLFormElement>('make')
  const output = find<HTMLTextAreaElement>('made')
  const problem = find('problem')
  const fieldOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.textContent = ''
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
    try {
      make()
    } catch (error) {
      problem.textContent = (error as Error).message
    }
  })
  form.addEventListener('change', () => {
    fieldOf('moment').disabled = fieldOf('version').value === '4'
  })

  /** Generates ids. Throws an Error for an invalid field; the previous ids then stay on the page. */
  function make(): void {
    const count = read('count', readCount)
    const uuid = fieldOf('version').value === '4' ? uuidv4 : read('moment', createSource)
    const write = WRITERS[fieldOf('form').value as Form]
    const type: IdType<string> = read('prefix', ({ value }) => {
      const type = defineType(value, { uuid })
      write({ type, id: type.example, form: 'standard' }) // throws if ids with the prefix lack the form
      return type
    })
    output.value = type
      .generateMany(count)
      .map((id) => write({ type, id, form: 'standard' }))
      .join('\n')
    find('made-actions').hidden = false
    output.hidden = false
    announce(count === 1 ? '1 id made' : `${count.toLocaleString('en')} ids made`)
  }

  /** Reads a field, and marks it if its value is invalid. */
  function read<T>(name: string, parse: (field: HTMLInputElement) => T): T {
    const field = fieldOf(name)
    try {
      return parse(field)
    } catch (error) {
      field.setAttribute('aria-invalid', 'true')
      throw error
    }
  }

  const saving = create('button', { type: 'button' }, 'Save as a file')
  saving.addEventListener('click', () =>
    save(new Blob([`${output.value}\n`], { type: 'text/plain' }), 'ids.txt'),
  )
  const show = create('button', { type: 'button' }, 'Inspect')
  show.addEventListener('click', () => inspect(output.value))
  find('made-actions').append(
    createCopyButton('ids', () => output.value, 'Copy all'),
    saving,
    show,
  )
}

/** Returns the number. Throws an Error unless it is a whole number in the range of the field. */
function readCount({ value, valueAsNumber, validity, min, max }: HTMLInputElement): number {
  if (validity.valid) return valueAsNumber
  const range = `${min} to ${Number(max).toLocaleString('en')}`
  const received = value || (validity.badInput ? 'a text' : 'nothing')
  throw new Error(`expected a whole number of ids from ${range}, received ${received}`)
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * Returns a source of UUIDs with the moment in the field, or with the time of the clock if the field is empty. A moment
 * without a time zone is in UTC. Checks the format: browsers read `06.07.2024` as June 7, and February 30 as March 1.
 */
function createSource({ value }: HTMLInputElement): () => string {
  const moment = value.trim()
  if (!moment) return uuidv7
  const [, date = '', clock = '00:00', zone = 'Z'] = MOMENT.exec(moment) ?? []
  const time = Date.parse(`${date}T${clock}${zone}`)
  if (Number.isNaN(time) || !new Date(`${date}Z`).toISOString().startsWith(date))
    throw new Error(`expected a moment such as 2024-06-14 10:14, received ${moment}`)
  return createUuidv7({ now: () => time })
}
