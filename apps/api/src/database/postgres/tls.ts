/**
 * Options of a URL that the driver applies as libpq does, except `application_name`, by which a migration finds other
 * versions. The driver ignores all other options, such as a misspelt `sslmode`, or `sslcrl`.
 */
const OPTIONS =
  'host, port, user, password, options, ssl, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation, uselibpqcompat'

/** Values of `sslmode` in a URL: libpq's, and the driver's `no-verify`, which encrypts without checking certificates. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Returns the URL with libpq's meaning of `sslmode`, which psql and hosting providers document: `require` encrypts, and
 * checks the issuer of the certificate if there is an `sslrootcert`. The driver alone treats every mode, even a
 * misspelt one, as `verify-full`. `prefer` is stricter here than in libpq: it does not fall back to plain text.
 *
 * @throws Error for an option that the driver would ignore, or that is repeated, of which the driver uses the last
 * value. The message does not quote the option, which can be a part of a password.
 */
export function withLibpqTls(url: string): string {
  const { hash, pathname, searchParams: options } = new URL(url)
  if (pathname.includes('@'))
    throw new Error(
      'expected %2F instead of / in the password, and %40 instead of @ in the name of the database',
    )
  if (hash !== '') throw new Error('expected %23 instead of # in the URL: options after # would be ignored')
  const names = [...options.keys()]
  if (new Set(names).size < names.length) throw new Error('an option of the URL is repeated')
  if (names.some((name) => !OPTIONS.split(', ').includes(name)))
    throw new Error(`an option of the URL is unknown: expected only ${OPTIONS}`)
  if (!/^\d*$/.test(options.get('port') ?? '') || Number(options.get('port')) > 65_535)
    throw new Error('port: expected a number from 1 to 65535')
  const mode = options.get('sslmode')
  // If both are set, the driver applies sslmode, even `disable` with `ssl=true`.
  if (mode !== null && options.has('ssl')) throw new Error('ssl: expected to be unset when sslmode is set')
  if (mode === null || mode === 'no-verify') return url
  if (!MODES.includes(mode)) throw new Error(`sslmode: expected one of ${MODES.join(', ')}`)
  return `${url}&uselibpqcompat=true`
}
