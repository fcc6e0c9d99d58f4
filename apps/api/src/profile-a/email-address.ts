import { domainToASCII, domainToUnicode } from 'node:url'

/*
 * Accepts addresses by RFC 5321, section 4.1.2, and internationalized addresses
 * by RFC 6531:
 *
 * - The local part is a dot-atom (RFC 5322), which can also contain all visible
 *   characters above U+007F.
 * - The domain has at least two labels of letters, digits and inner hyphens. A
 *   label that is not ASCII must stay the same, apart from case and NFC, after
 *   the conversion to ASCII and back (UTS 46).
 * - In ASCII, a label has at most 63 characters, and the domain 253 (RFC 1035).
 *   The last label ends with a letter or is internationalized (`xn--`).
 *
 * Quoted local parts and address literals are rejected.
 */

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}\\p{DI}]"
const LOCAL_PART = new RegExp(`^(?:${ATEXT})+(?:\\.(?:${ATEXT})+)*$`, 'u')
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const DOMAIN = new RegExp(
  `^(?!.*[^.]{64})(?:${LABEL}\\.)+(?:xn--[A-Za-z0-9-]*[A-Za-z0-9]|(?:[A-Za-z0-9][A-Za-z0-9-]*)?[A-Za-z])$`,
)
const ASCII = /^\p{ASCII}*$/u
const UNICODE_LABEL = /^(?![\p{M}-]|..--)[\p{L}\p{M}\p{Nd}-]+(?<!-)$/u

export function isEmail(text: string): boolean {
  const { local, domain } = split(text)
  const labels = text.slice(text.indexOf('@') + 1).split('.')
  const ascii = domain.split('.')
  return (
    LOCAL_PART.test(local) &&
    domain.length <= 253 &&
    DOMAIN.test(domain) &&
    labels.every((label, n) => isSame(label, ascii[n] ?? ''))
  )
}

/**
 * Returns whether a label survives the conversion to ASCII and back. The
 * conversion maps `²` to `2`, and drops line breaks and invisible characters.
 */
function isSame(label: string, ascii: string): boolean {
  if (ASCII.test(label)) return label.toLowerCase() === ascii.toLowerCase()
  // Converts one character at a time: at the end of a word, JavaScript would
  // convert Σ to ς, but the conversion of domains to ASCII uses σ.
  const lower = label.replace(/./gsu, (letter) => letter.toLowerCase())
  return (
    UNICODE_LABEL.test(label) &&
    domainToUnicode(ascii) === lower.normalize('NFC')
  )
}

/**
 * Returns the form in which valid addresses are compared: lower case in Unicode
 * NFC, and an internationalized domain in its ASCII form.
 *
 * In the local part, ς becomes σ. Otherwise ΑΣ and ασ would differ, because
 * `toLowerCase()` converts Σ to ς at the end of a word.
 *
 * @example
 * normalizeEmail('Zoë@BÜCHER.example') // 'zoë@xn--bcher-kva.example'
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = split(email)
  // NFC must follow `toLowerCase()`, which can create letters that NFC
  // combines, such as j and a caron (U+01F0).
  return `${local.toLowerCase().replaceAll('ς', 'σ').normalize('NFC')}@${domain.toLowerCase()}`
}

function split(email: string) {
  const at = email.indexOf('@')
  const domain = email.slice(at + 1)
  return {
    local: email.slice(0, Math.max(at, 0)).normalize('NFC'),
    // Keeps ASCII as it is, because domainToASCII() takes `1.2.0xa` for an IPv4
    // address.
    domain: ASCII.test(domain)
      ? domain
      : domainToASCII(domain.normalize('NFC')),
  }
}
