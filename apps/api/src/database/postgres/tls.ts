/** Options of a URL that the driver applies as libpq does. It ignores all others, such as a misspelt `sslmode`. */
const OPTIONS = 'host, port, user, password, options, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation'

/** Values of `sslmode` in a URL: libpq's, and the driver's `no-verify`, which encrypts without checking certificates. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Returns the URL with libpq's meaning of `sslmode`, which psql and hosting providers document: `require` encrypts, and
 * checks the issuer of the certificate if there is an `sslrootcert`. The driver alone treats every mode, even a
 * misspelt one, as `verify-full`. `prefer` is stricter here than in libpq: it does not fall back to plain text.
 *
 * @throws Error for an option that the driver would ignore. The message does not quote it, because it can be part of a
 * password.
 */
export function withLibpqTls(url: string): string {
  const { hash, pathname, searchParams } = new URL(url)
  if (pathname.includes('@') || hash !== '')
    throw new Error('expected %2F, %3F and %23 instead of /, ? and # in the password')
  const names = [...searchParams.keys()]
  if (new Set(names).size < names.length || names.some((name) => !OPTIONS.split(', ').includes(name)))
    throw new Error(`an option of the URL is unknown or repeated: expected only ${OPTIONS}`)
  const mode = searchParams.get('sslmode')
  if (mode === null || mode === 'no-verify') return url
  if (!MODES.includes(mode)) throw new Error(`sslmode: expected one of ${MODES.join(', ')}`)
  return `${url}&uselibpqcompat=true`
}
