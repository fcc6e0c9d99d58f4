/** The methods that an endpoint can have. Hono serves HEAD wherever there is GET. */
export const METHODS = ['get', 'post', 'patch', 'delete'] as const

export type Method = (typeof METHODS)[number]

/** The methods that a client can use, as they stand in a request. */
export const REQUEST_METHODS: readonly string[] = METHODS.flatMap((method) =>
  method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
)
