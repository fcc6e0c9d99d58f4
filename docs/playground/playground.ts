import { withBase } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'
import type { Compiled, Problem } from './checker.ts'
import './playground.css'

declare const __PACKAGE__: string

const EXAMPLE = `import { defineId, type IdOf } from '${__PACKAGE__}'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')

const pathOf = (id: UserId) => \`/users/\${UserId.toShort(id)}\`

console.log(pathOf(UserId.generate()))
console.log(pathOf(TeamId.generate()))
`
/** Maximum duration of a script, in milliseconds. */
const TIMEOUT = 2000
/** Time between the last key and the check, in milliseconds. */
const PAUSE = 150

/** The code may come from a link, so it runs in a frame that cannot access the site or send requests. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:"
const FRAME = `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>(${relay})(${TIMEOUT})</script>`

interface Run {
  readonly version: number
  readonly program: string
  readonly script: string
}

/** A line of the output, or null after the last line. */
interface Printed {
  readonly version: number
  readonly line: string | null
}

/** Runs in the frame. Starts a worker for each script, and terminates the previous worker. */
function relay(timeout: number): void {
  let worker: Worker | undefined
  addEventListener('message', ({ data: { version, program, script } }: MessageEvent<Run>) => {
    worker?.terminate()
    const current = new Worker(URL.createObjectURL(new Blob([program])))
    const send = (line: string | null) => parent.postMessage({ version, line }, '*')
    let isRunning = true
    // Terminates also a script that has ended, because its promises may never settle.
    setTimeout(() => {
      current.terminate()
      if (isRunning) send(`Stopped after ${timeout / 1000} seconds.`)
      if (isRunning) send(null)
    }, timeout)
    current.onmessage = ({ data }) => {
      if (data === null) isRunning = false
      send(data)
    }
    current.postMessage(script)
    worker = current
  })
}

export default defineComponent(() => {
  const code = ref(EXAMPLE)
  const problems = ref<readonly Problem[]>([])
  const output = ref<readonly string[]>([])
  const state = ref('Loading the compiler…')
  const copied = ref('Copy link')
  const editor = ref<HTMLTextAreaElement>()
  const frame = ref<HTMLIFrameElement>()
  let checker: Worker | undefined
  let program = ''
  let version = 0
  let printed: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function check(): void {
    version++
    checker?.postMessage({ version, code: code.value })
  }

  function change({ target }: Event): void {
    code.value = (target as HTMLTextAreaElement).value
    history.replaceState(history.state, '', `#${encode(code.value)}`)
    clearTimeout(timer)
    timer = setTimeout(check, PAUSE)
  }

  function run({ data }: MessageEvent<Compiled>): void {
    if (data.version !== version) return
    problems.value = data.problems
    const count = data.problems.length
    state.value = count === 0 ? 'No type errors' : count === 1 ? '1 type error' : `${count} type errors`
    printed = []
    const run: Run = { version, program, script: data.script }
    frame.value?.contentWindow?.postMessage(run, '*')
  }

  function print({ source, data }: MessageEvent<Printed>): void {
    if (source !== frame.value?.contentWindow || data.version !== version) return
    if (data.line !== null) printed.push(data.line)
    output.value = [...printed]
  }

  function readFragment(): void {
    const text = decode(location.hash.slice(1))
    if (!text) return // the fragment names a heading and contains no code
    code.value = text
    check()
  }

  async function copyLink(): Promise<void> {
    history.replaceState(history.state, '', `#${encode(code.value)}`)
    copied.value = await navigator.clipboard.writeText(location.href).then(
      () => 'Copied',
      () => 'Copy the address of this page',
    )
  }

  function select({ start, length }: Problem): void {
    editor.value?.focus()
    editor.value?.setSelectionRange(start, start + length)
  }

  onMounted(async () => {
    code.value = decode(location.hash.slice(1)) || EXAMPLE
    addEventListener('message', print)
    addEventListener('hashchange', readFragment)
    const loaded = new Promise((resolve) => frame.value?.addEventListener('load', resolve))
    frame.value?.setAttribute('srcdoc', FRAME)
    program = await (await fetch(withBase('/playground/runner.js'))).text()
    await loaded
    checker = new Worker(withBase('/playground/checker.js'))
    checker.onmessage = run
    check()
  })
  onBeforeUnmount(() => {
    removeEventListener('message', print)
    removeEventListener('hashchange', readFragment)
    checker?.terminate()
  })

  return () =>
    h('div', { class: 'playground' }, [
      h('label', { for: 'code' }, 'Code'),
      h('textarea', {
        id: 'code',
        ref: editor,
        value: code.value,
        spellcheck: false,
        autocapitalize: 'off',
        autocomplete: 'off',
        onInput: change,
      }),
      h('p', [
        h('span', { role: 'status' }, state.value),
        h('button', { type: 'button', onClick: copyLink }, copied.value),
      ]),
      h(
        'ul',
        { 'aria-label': 'Type errors' },
        problems.value.map((problem) =>
          h('li', [
            h('button', { type: 'button', onClick: () => select(problem) }, `Line ${problem.line}`),
            h('span', problem.message),
          ]),
        ),
      ),
      h('label', { for: 'output' }, 'Output'),
      h('output', { id: 'output' }, output.value.join('\n')),
      h('iframe', { ref: frame, sandbox: 'allow-scripts', title: 'Runs the code' }),
    ])
})

/** Encodes as base64url, which needs no escapes in a URL. */
function encode(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Decodes base64url. Returns an empty string for a fragment that does not contain code. */
function decode(fragment: string): string {
  try {
    const bytes = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
    )
  } catch {
    return ''
  }
}
