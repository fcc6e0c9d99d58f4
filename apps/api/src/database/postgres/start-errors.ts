/** Codes of OpenSSL for a certificate whose issuer is not trusted. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
])

/** Returns an error that states what to change in the URL, or the same error when the driver's message is clear. */
export function explainStartError(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: string }
  const { password, searchParams } = new URL(url)
  if (UNTRUSTED.has(code ?? '')) {
    const authority = searchParams.get('sslrootcert')
    const trusted = authority ? `the CA in sslrootcert (${authority})` : 'a CA that Node trusts'
    return new Error(
      `the certificate of the server is not signed by ${trusted}: set sslrootcert to the file of its CA (${error.message})`,
    )
  }
  const lacksPassword = !password && !searchParams.get('password')
  if (lacksPassword && (code === '28P01' || error.message.includes('client password must be')))
    return new Error(
      'the server asks for a password, and the URL has none: postgres://user:password@host:port/name',
    )
  return error
}
