/** The folder of the repository as a URL with a final slash. */
export const REPOSITORY = new URL('../../', import.meta.url)
