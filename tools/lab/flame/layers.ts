import type { Frame } from './profile.ts'

/** The parts of a server by the files of their functions, in the order of the colours. */
const LAYERS: readonly (readonly [title: string, files: RegExp])[] = [
  ['handlers and queries', /\/apps\/api\/src\/|\/lab\/bench\/peers\//],
  ['HTTP framework', /\/node_modules\/(@hono|hono|@?fastify|find-my-way|fast-json-stringify)\b/],
  ['ids and validation', /\/packages\/typed-id\/|\/node_modules\/(zod|ajv)\b/],
  ["Node's own JavaScript", /^node:/],
]

/** What is in no file: V8, C++, SQLite, the kernel. */
const NATIVE = 'native code, SQLite'

export const LAYER_TITLES: readonly string[] = [...LAYERS.map(([title]) => title), NATIVE]

/** Returns the index of a frame's layer in `LAYER_TITLES`. */
export function layerOf({ url }: Frame): number {
  const n = LAYERS.findIndex(([, files]) => files.test(url))
  return n < 0 ? LAYERS.length : n
}

/** Returns the time in each layer, without what it calls, in the order of `LAYER_TITLES`. */
export function timeByLayer(root: Frame): number[] {
  const times = LAYER_TITLES.map(() => 0)
  const visit = (frame: Frame) => {
    const own = frame.us - frame.children.reduce((sum, { us }) => sum + us, 0)
    times[layerOf(frame)] = (times[layerOf(frame)] ?? 0) + own
    frame.children.forEach(visit)
  }
  visit(root)
  return times
}
