import { type Form, WRITERS } from '../../packages/typed-id/src/cli/form.ts'
import { createUuidv7, defineId, type IdType, uuidv4, uuidv7 } from '../../packages/typed-id/src/index.ts'
import { createCopyButton } from './copy.ts'
import { announce, create, find } from './dom.ts'

const MAX_COUNT = 10_000

/** Starts the form that makes ids. `inspect` shows them in the inspector. */
export function startMaking(inspect: (text: string) => void): void {
  const form = find<HTMLFormElement>('make')
  const output = find<HTMLTextAreaElement>('made')
  const problem = find('problem')

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.textContent = ''
    try {
      make()
    } catch (error) {
      problem.textContent = (error as Error).message
    }
  })
  form.addEventListener('change', () => {
    const isRandom = new FormData(form).get('version') === '4'
    ;(form.elements.namedItem('moment') as HTMLInputElement).disabled = isRandom
  })

  /** @throws TypedIdError for an invalid type, and Error for an invalid moment. */
  function make(): void {
    const values = new FormData(form)
    const count = Math.min(MAX_COUNT, Math.max(1, Math.trunc(Number(values.get('count'))) || 1))
    const type: IdType<string> = defineId<string>(String(values.get('prefix')), {
      uuid: createSource(values),
    })
    const write = WRITERS[String(values.get('form')) as Form]
    output.value = type
      .generateMany(count)
      .map((id) => write({ type, id, form: 'standard' }))
      .join('\n')
    find('made-actions').hidden = false
    output.hidden = false
    announce(count === 1 ? '1 id made' : `${count.toLocaleString('en')} ids made`)
  }

  const save = create('button', { type: 'button' }, 'Save as a file')
  save.addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([`${output.value}\n`], { type: 'text/plain' }))
    create('a', { href: url, download: 'ids.txt' }).click()
    setTimeout(() => URL.revokeObjectURL(url), 1000)
  })
  const show = create('button', { type: 'button' }, 'Inspect')
  show.addEventListener('click', () => inspect(output.value))
  find('made-actions').append(
    createCopyButton('ids', () => output.value, 'Copy all'),
    save,
    show,
  )
}

/** The moment is in UTC, unless it has a time zone. Without one, the ids contain the time of the clock. */
function createSource(values: FormData): () => string {
  if (values.get('version') === '4') return uuidv4
  const moment = String(values.get('moment')).trim()
  if (!moment) return uuidv7
  const time = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(moment) ? moment : `${moment.replace(' ', 'T')}Z`)
  if (Number.isNaN(time)) throw new Error(`expected a moment such as 2024-06-14 10:14, received ${moment}`)
  return createUuidv7({ now: () => time })
}
