/** The part of the model of `redocly generate-client` that the plugin reads and changes. */
interface Schema {
  kind: string
  name?: string
  metadata?: { pattern?: string }
}

/**
 * A generator that writes no file and runs before `typescript`: `--generator plugin.ts --generator typescript`. It turns ids into
 * references to their types, and knows them by their pattern, because the model has no `x-` keys.
 */
export default {
  name: 'typed-ids',
  run({ model }: { model: object }): [] {
    visit(model)
    return []
  },
}

function visit(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const node = value as Schema
  const [, prefix, form] =
    /^\^(\w+)(-\[0-9a-f\]\{8\}|_\[0-7\])[^|]+\$$/.exec(node.metadata?.pattern ?? '') ?? []
  if (node.kind === 'scalar' && prefix && form) {
    node.kind = 'ref'
    node.name = `import('typed-id').${form.startsWith('-') ? 'TypedId' : 'ShortId'}<'${prefix}'>`
  }
  Object.values(node).forEach(visit)
}
