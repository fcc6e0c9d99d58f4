import { Converter, ReflectionKind } from 'typedoc'
import { SUBPATHS } from '../packages/typed-id/subpaths.ts'

function adaptToUsers({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module))
      module.name = SUBPATHS.find(({ name }) => name === module.name).specifier
    for (const parameter of project.getReflectionsByKind(
      ReflectionKind.Parameter,
    ))
      if (parameter.name === 'this') project.removeReflection(parameter)
      else if (parameter.name === '__namedParameters')
        parameter.name = documentedName(parameter) ?? 'options'
  })
}

function documentedName({ parent }) {
  const named =
    parent.comment?.blockTags.filter(({ tag }) => tag === '@param') ?? []
  return named.length === 1 ? named[0].name : undefined
}

/**
 * @type {Partial<import('typedoc').TypeDocOptions &
 * import('typedoc-plugin-markdown').PluginOptions>}
 */
export default {
  entryPoints: SUBPATHS.map(({ source }) => `../packages/typed-id/${source}`),
  tsconfig: '../packages/typed-id/tsconfig.json',
  plugin: ['typedoc-plugin-markdown', adaptToUsers],
  out: 'reference',
  name: 'API of the library',
  readme: 'none',
  router: 'module',
  entryFileName: 'index',
  excludeExternals: true,
  disableSources: true,
  // VitePress and TypeDoc number headings of the same name, such as IdRegistry
  // and idRegistry, differently. Links without HTML anchors would break.
  useHTMLAnchors: true,
  anchorPrefix: 'api-',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  kindSortOrder: ['Function', 'Variable', 'Interface', 'TypeAlias', 'Class'],
  groupOrder: [
    'Functions',
    'Variables',
    'Interfaces',
    'Type Aliases',
    'Classes',
  ],
  expandParameters: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  treatWarningsAsErrors: true,
  // `pnpm check` has already checked the types: a second check takes 6 s of
  // processor time.
  skipErrorChecking: true,
  intentionallyNotExported: [
    'Alphanumeric',
    'PrefixCharacter',
    'ShortText',
    'Engine',
    'PartOperator',
    'PrefixRule',
    'IsWord',
    'IdExtension',
    'TypeScript',
    'HeyApiContext',
    'InputOf',
    'IdsOf',
  ],
  validation: { invalidLink: true, notDocumented: false, notExported: true },
}
