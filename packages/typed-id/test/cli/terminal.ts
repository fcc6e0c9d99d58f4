import { run } from '../../src/cli/run.ts'
import type { Output } from '../../src/cli/terminal.ts'
import { idRegistry } from '../../src/index.ts'

interface Screen {
  stdinIsTTY?: boolean
  stdoutIsTTY?: boolean
  colour?: boolean
}

export async function cli(
  args: string[],
  chunks: Iterable<string | Uint8Array> = [],
  screen: Screen = {},
) {
  const written = { out: '', err: '' }
  const output = (key: 'out' | 'err', isTTY = false): Output => ({
    isTTY,
    write(text, done) {
      written[key] += text
      done()
    },
  })
  const code = await run(args, {
    version: '1.2.3',
    stdin: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk as string)
    })(),
    stdinIsTTY: screen.stdinIsTTY ?? false,
    stdout: output('out', screen.stdoutIsTTY),
    stderr: output('err'),
    colour: screen.colour ?? false,
  })
  return { code, ...written }
}

export function messageFor(text: string): string | undefined {
  return idRegistry([]).safeParse(text).error?.message
}
