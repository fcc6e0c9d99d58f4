type Named = { readonly schema: unknown; readonly error: unknown }

const named = /* @__PURE__ */ new WeakMap<object, Map<string, Named>>()

/**
 * Returns the schema that an earlier call with the same name has created,
 * otherwise a new schema.
 */
export function cached<S>(
  type: object,
  kind: string,
  { id, error }: { id?: string; error?: unknown } = {},
  create: () => S,
): S {
  if (id === undefined) return create()
  const schemas = named.get(type) ?? new Map<string, Named>()
  named.set(type, schemas)
  const found = schemas.get(`${kind} ${id}`) ?? { schema: create(), error }
  if (found.error !== error)
    throw new TypeError(`the schema ${id} exists with another error option`)
  schemas.set(`${kind} ${id}`, found)
  return found.schema as S
}
