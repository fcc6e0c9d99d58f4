import { domainToASCII } from 'node:url'

/*
 * The grammar of RFC 5321, section 4.1.2, with the internationalized addresses of RFC 6531, as Python's email-validator
 * (the one that FastAPI uses) applies it without looking up domains:
 *
 *   local part  dot-atom: characters of RFC 5322 atext, or letters, marks, numbers and symbols above U+007F
 *   domain      at least two labels of letters, digits and hyphens that neither start nor end with a hyphen; the last
 *               one ends with a letter. An internationalized domain is checked in its ASCII form (UTS 46).
 *
 * Quoted local parts ("a b"@example.com) and address literals (a@[127.0.0.1]) are rejected, as they are there.
 */

const ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}]"
const LOCAL_PART = new RegExp(`^(?:${ATEXT})+(?:\\.(?:${ATEXT})+)*$`, 'u')
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const DOMAIN = new RegExp(
  `^(?:${LABEL}\\.)+(?:xn--[A-Za-z0-9-]*[A-Za-z0-9]|(?:[A-Za-z0-9][A-Za-z0-9-]*)?[A-Za-z])$`,
)

/** Returns whether the text is an e-mail address. */
export function isEmail(text: string): boolean {
  const parts = splitEmail(text)
  if (parts === undefined) return false
  return LOCAL_PART.test(parts.local.normalize('NFC')) && DOMAIN.test(toAsciiDomain(parts.domain))
}

/**
 * Returns the form of an address by which it is unique: Unicode NFC, lower case, and an internationalized domain in its
 * ASCII form. Two addresses with one normalized form would be delivered to the same mailbox by every common server.
 *
 * @example
 * normalizeEmail('Zoë@BÜCHER.example') // 'zoë@xn--bcher-kva.example'
 */
export function normalizeEmail(email: string): string {
  const { local, domain } = splitEmail(email) ?? { local: email, domain: '' }
  return `${local.normalize('NFC').toLowerCase()}@${toAsciiDomain(domain).toLowerCase()}`
}

function splitEmail(text: string): { local: string; domain: string } | undefined {
  const [local, domain, ...more] = text.split('@')
  return local === undefined || domain === undefined || more.length > 0 ? undefined : { local, domain }
}

/** domainToASCII() maps more than letters (`%41`, `1.2`), so it is used for what it is needed for. */
function toAsciiDomain(domain: string): string {
  const isAscii = /^\p{ASCII}*$/u.test(domain)
  return isAscii ? domain : domainToASCII(domain.normalize('NFC'))
}
