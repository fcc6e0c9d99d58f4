import type { IdDefinition, IdType } from './types.ts'

/** A type of `defineId` or `defineTypeId`, with any prefix. */
export type AnyIdType = IdDefinition<string, string>

export function hasTwoForms(type: AnyIdType): type is IdType<string> {
  return 'shortPattern' in type
}

export function isIdOf(type: AnyIdType, value: unknown): boolean {
  return hasTwoForms(type) ? type.isEitherForm(value) : type.is(value)
}

export const typesOf = (
  source: AnyIdType | { readonly types: readonly AnyIdType[] },
): readonly AnyIdType[] => ('types' in source ? source.types : [source])
