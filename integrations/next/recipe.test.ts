import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ID_CASES } from '../ids.ts'

const NEXT = createRequire(import.meta.url).resolve('next/dist/bin/next')
const env = {
  ...process.env,
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
} as const
const next = (...args: string[]) =>
  spawn(process.execPath, [NEXT, ...args], {
    cwd: import.meta.dirname,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

let server: ReturnType<typeof next>
let origin = ''

beforeAll(async () => {
  const build = next('build')
  const output = text(build.stdout)
  const [code] = await once(build, 'close')
  expect(code, await output).toBe(0)
  server = next('start', '--hostname', '127.0.0.1', '--port', '0')
  for await (const line of createInterface({ input: server.stdout })) {
    origin ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    if (line.includes('Ready')) break
  }
})

afterAll(async () => {
  server.kill()
  await once(server, 'close')
  const options = { recursive: true, force: true }
  for (const written of ['.next', 'next-env.d.ts', 'tsconfig.json'])
    rmSync(`${import.meta.dirname}/${written}`, options)
})

const {
  'right id': id,
  'short form': short,
  'wrong type': team,
  ...others
} = ID_CASES

test('a page accepts both forms of an id, and shows the not-found page for others', async () => {
  for (const accepted of [id, short]) {
    const response = await fetch(`${origin}/users/${accepted}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`<h1>${id}</h1>`)
  }
  for (const rejected of [team, ...Object.values(others)]) {
    const response = await fetch(`${origin}/users/${rejected}`)
    // The status is 200, because Next sends it before the page parses the id.
    expect(response.status, rejected).toBe(200)
    expect(await response.text()).toContain('could not be found')
  }
})

test('a route handler responds to a wrong id with 422 and the message of the parser', async () => {
  const found = await fetch(`${origin}/api/users/${id}`)
  expect(await found.json()).toEqual({ id })
  for (const rejected of [team, short, ...Object.values(others)]) {
    const response = await fetch(`${origin}/api/users/${rejected}`)
    expect(response.status, rejected).toBe(422)
    const { detail } = await response.json()
    expect(detail).toContain(
      rejected === team ? 'expected user, received team' : 'user id',
    )
  }
})

test('a server action reads what a person types, and names what is wrong', async () => {
  /** Sends the form, whose hidden inputs name the server action to run. */
  async function submit(typed: string) {
    const form = new FormData()
    const page = await (await fetch(origin)).text()
    for (const [, name = '', value = ''] of page.matchAll(
      /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g,
    ))
      form.set(name, value)
    form.set('id', typed)
    const { headers } = await fetch(origin, {
      method: 'POST',
      headers: { origin },
      body: form,
      redirect: 'manual',
    })
    return headers.get('location')
  }
  expect(await submit(` ${short.toUpperCase()}`)).toBe(`/users/${short}`)
  const rejected = await submit(team)
  expect(await (await fetch(origin + rejected)).text()).toContain(
    'expected user, received team',
  )
})
