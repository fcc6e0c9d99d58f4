interface Nullable {
  readonly type?: unknown
  readonly pattern?: string
}

/** For the document. openapi-zod-client ignores the pattern of `['string', 'null']`, but not that of a `nullable` string. */
export const keepPatterns = <Document>(document: Document): Document =>
  JSON.parse(JSON.stringify(document), (_, schema: Nullable | null) =>
    schema?.pattern && Array.isArray(schema.type) ? { ...schema, type: 'string', nullable: true } : schema,
  )

const ID = /z\s*\.string\(\)\s*\.regex\(\s*(\/\^(\w+)(-\[0-9a-f\]\{8\}|_\[0-7\])[^|]+?\$\/)\s*\)/g

/** For the code. Gives the schemas of ids their types: the input of a parameter is an id, too, not any string. */
export const typeIds = (code: string): string =>
  code.replace(ID, (_, pattern: string, prefix: string, form: string) => {
    const type = `import('typed-id').${form.startsWith('-') ? 'TypedId' : 'ShortId'}<'${prefix}'>`
    return `z.custom<${type}>((id) => ${pattern}.test(String(id)))`
  })
