/**
 * A Prisma generator that writes the DMMF, which lists the arguments and
 * results of every operation of a client.
 */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'generate')
    writeFileSync(params.generator.output.value, JSON.stringify(params.dmmf))
  const result =
    method === 'getManifest' ? { manifest: { prettyName: 'the DMMF' } } : null
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})
