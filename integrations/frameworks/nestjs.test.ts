import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineId } from 'typed-id'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/*
 * The recipe, compiled by tsc, and by SWC, the compiler of Nest's command line, which emits other types of decorated
 * parameters. Next brings SWC with it.
 */

const UserId = defineId('user')
const folder = join(import.meta.dirname, 'nestjs')
const code = readFileSync(join(folder, 'recipe.ts'), 'utf8')

const COMPILERS: Record<string, (code: string) => string | Promise<string>> = {
  tsc: (code) =>
    ts.transpileModule(code, {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2022,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
      },
    }).outputText,
  async SWC(code) {
    const { loadBindings, transform } = createRequire(import.meta.url)('next/dist/build/swc')
    await loadBindings()
    const jsc = {
      parser: { syntax: 'typescript', decorators: true },
      target: 'es2022',
      transform: { legacyDecorator: true, decoratorMetadata: true },
    }
    return (await transform(code, { filename: 'recipe.ts', jsc, module: { type: 'es6' } })).code
  },
}

describe.each(Object.entries(COMPILERS))('NestJS, compiled by %s', (name, compile) => {
  test('accepts ids in a path and in a DTO, responds 400 to others, and documents both', async () => {
    const file = join(folder, `generated/${name}.mjs`)
    mkdirSync(join(folder, 'generated'), { recursive: true })
    writeFileSync(file, await compile(code))
    const app = await (await import(file)).createApp()
    await app.listen(0)
    const url = await app.getUrl()
    const invite = (invited_by: unknown) =>
      fetch(`${url}/users/invitations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ invited_by }),
      })
    try {
      expect(await (await fetch(`${url}/users/${UserId.example}`)).json()).toEqual({ id: UserId.example })
      expect(await (await invite(UserId.example)).json()).toEqual({ id: UserId.example })
      const wrong = defineId('team').example
      expect((await fetch(`${url}/users/${wrong}`)).status).toBe(400)
      const rejected = await invite(wrong)
      expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('no user id')])
      const document = await (await fetch(`${url}/openapi.json`)).json()
      expect(document.components.schemas.Invitation.properties.invited_by).toMatchObject({
        pattern: UserId.pattern,
        example: UserId.example,
      })
    } finally {
      await app.close()
    }
  })
})
