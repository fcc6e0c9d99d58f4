import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { defineId } from '../../src/index.ts'
import { cli, messageFor } from './terminal.ts'

const TeamId = defineId('team')
const uuid = '0190163d-8694-739b-aea5-966c26f8ad91'
const FORMS = {
  standard: `user-${uuid}`,
  short: 'user_01j0b3v1mmeedtx9cpdgkfhbch',
  uuid,
  base62: 'user_2wq5mOzTzOALmI3LYnPlJ',
}
const forms = Object.entries(FORMS)

describe('convert', () => {
  test.each(
    forms.flatMap(([from, text]) =>
      forms.map(([to, wanted]) => [from, to, text, wanted]),
    ),
  )('from %s to %s', async (from, to, text, wanted) => {
    const { code, out } = await cli(
      ['convert', '--from', from, '--to', to, '--type', 'user'],
      [`${text}\n`],
    )
    expect({ code, out }).toEqual({ code: 0, out: `${wanted}\n` })
  })

  test('writes the same output wherever the input is divided into chunks', async () => {
    const bytes = Buffer.from(
      `\ufeff${FORMS.standard}\r\n${FORMS.short}\nGrüße 🌍\n \t\n\ufeff\n${TeamId.example}`,
    )
    const whole = await cli(['convert', '--to', 'short'], [bytes])
    expect(whole).toEqual({
      code: 1,
      out: `${FORMS.short}\n${FORMS.short}\n${TeamId.toShort(TeamId.example)}\n`,
      err: `line 3: ${messageFor('Grüße 🌍')}\nline 5: ${messageFor('\ufeff')}\n2 of 6 lines invalid\n`,
    })
    for (let at = 1; at < bytes.length; at++) {
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)]
      expect(await cli(['convert', '--to', 'short'], chunks)).toEqual(whole)
    }
  })
})

describe('a TypeID whose prefix has _', () => {
  const typeId = 'order_line_01j0b3v1mmeedtx9cpdgkfhbch'

  test('is inspected, converted and checked, but has no standard form and no base 62 form', async () => {
    const { out } = await cli(['inspect', typeId])
    expect(JSON.parse(out)).toMatchObject({
      ...{ type: 'order_line', form: 'short', standard: null },
      ...{ short: typeId, uuid },
    })
    const screen = { stdoutIsTTY: true }
    const { out: table } = await cli(['inspect', typeId], [], screen)
    expect(table).toContain('standard  none, because of _ in the prefix')
    for (const [line, code, out] of [
      [`convert --to uuid --from short ${typeId}`, 0, `${uuid}\n`],
      [
        `convert --from uuid --type order_line --to short ${uuid}`,
        0,
        `${typeId}\n`,
      ],
      [`check --type order_line ${typeId}`, 0, ''],
      [`check --type order_line ${FORMS.short}`, 1, ''],
      [`check --type order_line order_line-${uuid}`, 1, ''],
      [`check --from standard ${typeId}`, 1, ''],
    ] as const)
      expect(await cli(line.split(' ')), line).toMatchObject({ code, out })
    for (const form of ['standard', 'base62'] as const)
      expect(
        await cli(['convert', '--to', form, typeId, FORMS.short]),
      ).toMatchObject({
        code: 1,
        out: `${FORMS[form]}\n`,
        err: expect.stringMatching(
          /^argument 1: invalid prefix: expected 1 to 63 letters and digits, received "order_line"\n/,
        ),
      })
  })

  test('is generated with --short only', async () => {
    expect((await cli(['new', 'order_line', '--short'])).out).toMatch(
      /^order_line_[0-7][0-9a-z]{25}\n$/,
    )
    const { out } = await cli(['new', 'order_line', '--json'])
    const { short } = JSON.parse(out)
    expect((await cli(['inspect', short])).out).toBe(out)
    const rejected = await cli(['new', 'order_line'])
    expect(rejected.code).toBe(2)
    expect(rejected.err).toContain('--short')
    expect((await cli(['new', 'order_', '--short'])).code).toBe(2)
  })
})

test('a bare uuid is rejected with the option that reads it', async () => {
  for (const args of [
    ['convert', '--to', 'short', uuid],
    ['check', '--type', 'user', uuid.toUpperCase()],
    ['convert', '--from', 'short', '--to', 'standard', uuid],
  ])
    expect((await cli(args)).err).toContain('(or --from uuid --type <prefix>)')
})

describe('the input', () => {
  const lines = `${FORMS.standard}\r\n${FORMS.short}\r\n`
  const utf16 = Buffer.from(`\ufeff${lines}`, 'utf16le')

  test('can be the UTF-16 of PowerShell 5, divided anywhere', async () => {
    for (const at of [1, 2, 3, 50, 101])
      expect(
        await cli(
          ['convert', '--to', 'uuid'],
          [utf16.subarray(0, at), utf16.subarray(at)],
        ),
      ).toEqual({ code: 0, out: `${uuid}\n${uuid}\n`, err: '' })
  })

  test('can be a file of --file, and never a file that an argument names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-id-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, '.env')
    await writeFile(file, `${FORMS.standard}\nKEY=secret\n`)
    for (const args of [['check'], ['inspect'], ['convert', '--to', 'uuid']]) {
      const { code, out, err } = await cli([...args, file])
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).not.toContain('secret')
      expect((await cli([...args, '--file', file])).err).toMatch(
        /^line 2: .*KEY=secret/,
      )
    }
    expect(
      await cli(['convert', '--to', 'short', '--file', '-'], [FORMS.standard]),
    ).toEqual({ code: 0, out: `${FORMS.short}\n`, err: '' })
  })
})

describe('check', () => {
  const check = (args: string[], ...lines: string[]) =>
    cli(['check', ...args], [lines.join('\n')])

  test('writes nothing for valid ids', async () => {
    for (const ids of [[FORMS.standard, TeamId.example, FORMS.short], []])
      expect(await check([], ...ids)).toEqual({ code: 0, out: '', err: '' })
  })

  test('--type accepts one type, --from one form', async () => {
    expect(
      await check(['--type', 'user'], FORMS.standard, TeamId.example),
    ).toEqual({
      code: 1,
      out: '',
      err: `line 2: ${defineId('user').safeParse(TeamId.example).error?.message}\n1 of 2 lines invalid\n`,
    })
    for (const [args, text, code] of [
      [['--from', 'short'], FORMS.short, 0],
      [['--from', 'short'], FORMS.standard, 1],
      [['--from', 'base62'], FORMS.base62, 0],
      [[], FORMS.base62, 1],
    ] as const)
      expect((await check([...args], text)).code).toBe(code)
    for (const [from, expected] of [
      ['standard', 'not a valid id: expected a prefix, "-" and a lowercase'],
      ['short', 'not a valid id: expected a prefix, "_" and 26 lowercase'],
      ['base62', 'malformed short: expected a prefix, "_" and 1 to 22 letters'],
    ] as const)
      expect((await check(['--from', from], '?')).err).toContain(
        `line 1: ${expected}`,
      )
    const fromUuid = ['--from', 'uuid', '--type', 'user']
    expect((await check(fromUuid, uuid.toUpperCase())).err).not.toContain(
      '(or --from',
    )
  })

  test('a line of 250 MB is one invalid line and takes constant memory', async () => {
    const before = process.memoryUsage().rss
    const endless = (function* () {
      for (let i = 0; i < 4000; i++) yield 'a'.repeat(65_536)
      yield `\n${FORMS.standard}\n`
    })()
    const { code, err } = await cli(['check'], endless)
    expect({ code, err }).toEqual({
      code: 1,
      err: `line 1: longer than any id: "${'a'.repeat(80)}"…\n1 of 2 lines invalid\n`,
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
    expect((await cli(['check'], [' '.repeat(1000), 'x'])).code).toBe(1)
  })
})

test.each([
  ['an id', `${FORMS.standard}\n`],
  ['the message of an invalid line', 'x\n'],
])('reads a chunk only after %s was written', async (_, text) => {
  let read = 0
  let written = 0
  const stdin = (async function* () {
    for (; read < 50; read++) {
      expect(read - written).toBeLessThanOrEqual(1)
      yield Buffer.from(text)
    }
  })()
  const stdout = {
    write: (_: string, done: () => void) =>
      setTimeout(() => {
        written++
        done()
      }, 1),
  }
  const streams = { stdin, stdout, stderr: stdout }
  const terminal = { ...streams, version: '', colour: false }
  await run(['convert', '--to', 'short'], terminal)
  expect(written).toBeGreaterThanOrEqual(50)
})
