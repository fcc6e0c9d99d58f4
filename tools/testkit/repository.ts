/** The folder of the repository, as a URL that ends with a slash. */
export const REPOSITORY = new URL('../../', import.meta.url)
