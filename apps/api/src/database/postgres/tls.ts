/** Values of `sslmode` in a URL: libpq's, and the driver's `no-verify`, which encrypts without checking certificates. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Returns the URL with libpq's meaning of `sslmode`, the one that psql and hosting providers document: `require`
 * encrypts, and checks the issuer of the certificate if there is an `sslrootcert`. The driver alone treats every mode,
 * even a misspelt one, as `verify-full`. `prefer` is stricter here than in libpq: it does not fall back to plain text.
 */
export function withLibpqTls(url: string): string {
  const mode = new URL(url).searchParams.get('sslmode')
  if (mode === null || mode === 'no-verify') return url
  if (!MODES.includes(mode)) throw new Error(`sslmode: expected one of ${MODES.join(', ')}`)
  return `${url}&uselibpqcompat=true`
}
