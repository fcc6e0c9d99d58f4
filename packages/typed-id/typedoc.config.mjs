import { SUBPATHS } from './subpaths.ts'

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  entryPoints: SUBPATHS.map(({ source }) => source),
  out: 'api',
  readme: 'none',
  includeVersion: true,
  treatWarningsAsErrors: true,
  intentionallyNotExported: [
    'IsPrefix',
    'AnyId',
    'PrefixRule',
    'IsWord',
    'TypeIdText',
    'Convertible',
    'IdExtension',
  ],
  validation: { invalidLink: true, notDocumented: false, notExported: true },
}
