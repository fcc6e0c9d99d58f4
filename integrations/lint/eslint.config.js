import parser from '@typescript-eslint/parser'

/** Matches `UserId`, `TypedId`, `ShortId`, `TypeId` and `IdOf`. */
const ID_TYPE = '/(Id|^(Type)?IdOf)$/'

// Matches `UserId`, `ids.UserId` and `import('./ids.ts').UserId`.
const REFERENCE = [
  `TSTypeReference[typeName.name=${ID_TYPE}]`,
  `TSTypeReference[typeName.right.name=${ID_TYPE}]`,
  `TSImportType[qualifier.name=${ID_TYPE}]`,
  `TSImportType[qualifier.right.name=${ID_TYPE}]`,
].join()

const CAST = ':matches(TSAsExpression, TSTypeAssertion)'
const selector = [
  // Permits `[] as UserId[]`, because an empty list contains no id.
  `${CAST}:not([expression.elements.length=0])`,
  `.typeAnnotation:matches(${REFERENCE}, :has(${REFERENCE}))`,
].join(' > ')

const message = 'Use parse, safeParse or is: a cast checks nothing.'

export default [
  {
    files: ['**/*.{ts,tsx,mts,cts}'],
    // The file that defines the id types is not checked.
    ignores: ['**/ids.ts'],
    languageOptions: { parser },
    rules: { 'no-restricted-syntax': ['error', { selector, message }] },
  },
]
