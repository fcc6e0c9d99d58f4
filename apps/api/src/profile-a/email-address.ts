import { domainToASCII } from 'node:url'

/*
 * The grammar of RFC 5321, section 4.1.2, with the internationalized addresses of RFC 6531:
 *
 *   local part  dot-atom: characters of RFC 5322 atext, or letters, marks, numbers and symbols above U+007F
 *   domain      at least two labels of letters, digits and hyphens that neither start nor end with a hyphen; the last
 *               one ends with a letter. An internationalized domain consists of letters, marks, digits and hyphens, no
 *               label of which begins with a mark. Its ASCII form (UTS 46) has at most 253 characters, and 63 in a label,
 *               as every name of the DNS (RFC 1035).
 *
 * Quoted local parts ("a b"@example.com) and address literals (a@[127.0.0.1]) are rejected.
 */

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}]"
const LOCAL_PART = new RegExp(`^(?:${ATEXT})+(?:\\.(?:${ATEXT})+)*$`, 'u')
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const DOMAIN = new RegExp(
  `^(?!.*[^.]{64})(?:${LABEL}\\.)+(?:xn--[A-Za-z0-9-]*[A-Za-z0-9]|(?:[A-Za-z0-9][A-Za-z0-9-]*)?[A-Za-z])$`,
)

/**
 * The characters of a domain as it stands. The conversion to ASCII does not
 * check them: it drops line breaks and invisible characters, decodes `%41`, and
 * ends at a slash.
 */
const UNICODE_DOMAIN = /^(?!.*(?:^|\.)\p{M})[\p{L}\p{M}\p{Nd}.-]+$/u

/** Returns whether a string is an e-mail address by the grammar above. */
export function isEmail(text: string): boolean {
  if (!UNICODE_DOMAIN.test(text.slice(text.indexOf('@') + 1))) return false
  const { local, domain } = split(text)
  return LOCAL_PART.test(local) && domain.length <= 253 && DOMAIN.test(domain)
}

/**
 * Returns the form by which a valid address is unique: lower case in Unicode
 * NFC, and an internationalized domain in its ASCII form. Two addresses with
 * one normalized form would be delivered to the same mailbox by every common
 * server.
 *
 * A final sigma (ς) counts as σ, as in Unicode's case folding, because the
 * lower case of Σ depends on the letters after it. In a domain, ς and σ differ,
 * because IDNA 2008 registers them as different names.
 *
 * @example
 * normalizeEmail('Zoë@BÜCHER.example') // 'zoë@xn--bcher-kva.example'
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = split(email)
  // Normalizes again, because J with a caron is two code points, but its lower
  // case is one (U+01F0).
  return `${local.toLowerCase().replaceAll('ς', 'σ').normalize('NFC')}@${domain.toLowerCase()}`
}

/**
 * Returns the part before the first @ in Unicode NFC, empty if there is no @,
 * and the rest as an ASCII domain.
 */
function split(email: string) {
  const at = email.indexOf('@')
  return {
    local: email.slice(0, Math.max(at, 0)).normalize('NFC'),
    domain: toAsciiDomain(email.slice(at + 1)),
  }
}

/**
 * Leaves ASCII domains unchanged: domainToASCII() would also decode `%41` and
 * expand `1.2` to an IPv4 address.
 */
function toAsciiDomain(domain: string): string {
  const isAscii = /^\p{ASCII}*$/u.test(domain)
  return isAscii ? domain : domainToASCII(domain.normalize('NFC'))
}
