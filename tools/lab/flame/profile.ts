/** A function on the stack, called by the frame that contains it. */
export interface Frame {
  readonly name: string
  /** The file of the function, or nothing for a function of V8 or in C++. */
  readonly url: string
  /** Processor time of the function and of what it calls, in microseconds. */
  us: number
  readonly children: Frame[]
}

/** The `Profile` of the Chrome DevTools Protocol, as far as it is used here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Time between two samples, in microseconds. */
const INTERVAL_US = 250

/** Records the stacks of a process of Node while `work` runs. `port` is that of its inspector. */
export async function record(port: number, work: () => Promise<void>): Promise<Frame> {
  const list = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl as string)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  let id = 0
  const send = (method: string, params = {}) =>
    new Promise<{ profile?: CpuProfile }>((resolve, reject) => {
      id += 1
      const sent = id
      socket.addEventListener('message', ({ data }) => {
        const response = JSON.parse(data)
        if (response.id !== sent) return
        if (response.error) reject(new Error(response.error.message))
        else resolve(response.result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  await send('Profiler.enable')
  await send('Profiler.setSamplingInterval', { interval: INTERVAL_US })
  await send('Profiler.start')
  await work()
  const { profile } = await send('Profiler.stop')
  socket.close()
  return toFrames(profile as CpuProfile)
}

/** Returns the root of the stacks. Idle time is left out. */
function toFrames({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const self = new Map<number, number>()
  for (const [n, node] of samples.entries()) self.set(node, (self.get(node) ?? 0) + (timeDeltas[n] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))

  function add(id: number, siblings: Frame[]): number {
    const { callFrame, children = [] } = byId.get(id) as CpuProfile['nodes'][number]
    const { functionName: name, url } = callFrame
    if (name === '(idle)') return 0
    let frame = siblings.find((other) => other.name === name && other.url === url)
    if (frame === undefined) {
      frame = { name, url, us: 0, children: [] }
      siblings.push(frame)
    }
    let us = self.get(id) ?? 0
    for (const child of children) us += add(child, frame.children)
    frame.us += us
    return us
  }

  const roots: Frame[] = []
  add(nodes[0]?.id as number, roots)
  return roots[0] as Frame
}

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
