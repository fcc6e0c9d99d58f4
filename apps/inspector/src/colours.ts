import { PLAIN_UUID } from './find-all.ts'

/** The style sheet has as many hues, and three kinds of underlines. */
const HUES = 12
const UNDERLINES = 3

/** Returns a function that returns the classes of a type: the same colour in every log, as far as colours are free. */
export function createColours(): (type: string) => string {
  const classes = new Map<string, string>()
  return (type) => {
    const known = classes.get(type)
    if (known) return known
    const colour = type === PLAIN_UUID ? 'plain' : chooseColour(type, new Set(classes.values()))
    classes.set(type, colour)
    return colour
  }
}

function chooseColour(type: string, taken: ReadonlySet<string>): string {
  let hash = 7
  for (const character of type) hash = (hash * 31 + (character.codePointAt(0) as number)) % 9973
  for (let step = 0; step < HUES * UNDERLINES; step++) {
    const colour = `hue${(hash + step) % HUES} line${Math.floor(step / HUES)}`
    if (!taken.has(colour)) return colour
  }
  return `hue${hash % HUES} line0`
}
