import type { RouterRoute } from 'hono/types'
import type { Declaration } from './declaration.ts'
import { declarationOf } from './endpoint.ts'

export interface DeclaredRoute {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly declaration: Declaration
}

export const declaredRoutes = (
  routes: readonly RouterRoute[],
): DeclaredRoute[] =>
  routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path, handler }) => {
      const declaration = declarationOf(handler)
      if (declaration === undefined)
        throw new TypeError(
          `${method} ${path}: its handler is not an endpoint()`,
        )
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      const declared = Object.keys(declaration.param?.shape ?? {})
      if (`${names.toSorted()}` !== `${declared.toSorted()}`)
        throw new TypeError(
          `${method} ${path}: expected param to have [${names}], received [${declared}]`,
        )
      return {
        method: method.toLowerCase() as DeclaredRoute['method'],
        path: openApiPath(path),
        declaration,
      }
    })

export const openApiPath = (path: string): string =>
  path.replace(/:(\w+)/g, '{$1}')
