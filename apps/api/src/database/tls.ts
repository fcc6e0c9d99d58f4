/** What `sslmode` may be in a URL: libpq's words, and the driver's own for TLS with whoever answers. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * A URL in which `sslmode` means what it means to libpq, psql and every hoster's documentation: `require` encrypts, and
 * checks who issued the certificate if there is an `sslrootcert`. The driver alone takes every mode for `verify-full`,
 * with a warning, and a misspelt one, too. Only `prefer` is stricter here: it does not go on without TLS.
 */
export function withTlsOfLibpq(url: string): string {
  const mode = new URL(url).searchParams.get('sslmode')
  if (mode === null || mode === 'no-verify') return url
  if (!MODES.includes(mode)) throw new Error(`sslmode takes one of ${MODES.join(', ')}`)
  return `${url}&uselibpqcompat=true`
}
