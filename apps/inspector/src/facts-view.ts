import { createCopyButton } from './copy.ts'
import { create } from './dom.ts'
import { type Fact, findFacts, type Segment, splitId } from './facts.ts'
import type { Foreign } from './foreign.ts'
import type { Reading } from './readings.ts'

/** Returns a card about a reading. `use` puts a correction into the input field; a part of a log has none. */
export function createCard(reading: Reading, use?: (text: string) => void): HTMLElement {
  const { kind, prefix, uuid, corrections } = reading
  const picture = create('div', { class: 'picture', 'aria-hidden': 'true' })
  const properties = create('dl', { class: 'properties' })
  const forms = create('dl', { class: 'forms' })
  const show = (type: string) => {
    const facts = findFacts(type, uuid, Date.now())
    picture.replaceChildren(...createPicture(splitId(type, uuid)))
    properties.replaceChildren(...facts.properties.map(createProperty))
    forms.replaceChildren(...facts.forms.map(createForm))
  }
  show(prefix)
  const card = create('article', { class: 'card' }, create('h2', {}, kind))
  if (corrections.length > 0) card.append(createCorrection(reading, use))
  card.append(picture, properties)
  if (!prefix) card.append(createTypeField(show))
  card.append(forms, createLinkButton(reading))
  return card
}

/** Returns a card about an id of another kind. */
export function createForeignCard({ kind, likelihood, facts }: Foreign): HTMLElement {
  const title = likelihood === 'is' ? kind : `May be: ${kind}`
  return create(
    'article',
    { class: 'card' },
    create('h2', {}, title),
    create('dl', { class: 'forms' }, ...facts.map(createForm)),
  )
}

/** Returns the id with underlined parts, and a legend that explains what each kind of part contains. */
function createPicture(segments: readonly Segment[]): HTMLElement[] {
  const parts = segments.map(([text, meaning]) => create('span', { class: `part ${meaning}` }, text))
  const meanings = [...new Set(segments.map(([, meaning]) => meaning))].filter(Boolean)
  const key = meanings.map((meaning) =>
    create('small', {}, create('i', { class: `part ${meaning}` }), meaning),
  )
  return [create('code', {}, ...parts), create('p', {}, ...key)]
}

function createProperty({ name, value, note = '' }: Fact): HTMLElement {
  const content = create('dd', {}, value, ' ', create('span', { class: 'note' }, note))
  return create('div', {}, create('dt', {}, name), content)
}

function createForm({ name, value }: Fact): HTMLElement {
  const content = create(
    'dd',
    {},
    create('code', {}, value),
    createCopyButton(name, () => value),
  )
  return create('div', {}, create('dt', {}, name), content)
}

function createCorrection({ expected, corrections }: Reading, use?: (text: string) => void): HTMLElement {
  const actions = create(
    'span',
    { class: 'actions' },
    createCopyButton('corrected id', () => expected),
  )
  if (use) {
    const button = create('button', { type: 'button' }, 'Use it')
    button.addEventListener('click', () => use(expected))
    actions.prepend(button)
  }
  const question = create('p', {}, 'This is not an id. Did you mean ', create('code', {}, expected), '?')
  const reasons = create('ul', {}, ...corrections.map((reason) => create('li', {}, reason)))
  return create('div', { class: 'meant' }, question, actions, reasons)
}

/** Creates a field for the type of a value without a type, to show the forms that the value would have. */
function createTypeField(show: (type: string) => void): HTMLElement {
  const input = create('input', {
    type: 'text',
    placeholder: 'user',
    maxlength: '63',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  })
  input.addEventListener('input', () => show(/^[\da-z]+$/i.test(input.value) ? input.value : ''))
  return create('label', { class: 'as-type' }, 'As an id of type ', input)
}

/** Creates a button that copies a link. The id is in the fragment, which browsers do not send to a server. */
function createLinkButton({ expected }: Reading): HTMLElement {
  const link = () => `${location.href.replace(/#.*/s, '')}#${encodeURIComponent(expected)}`
  return create('p', { class: 'link' }, createCopyButton('link', link, 'Copy link'))
}
