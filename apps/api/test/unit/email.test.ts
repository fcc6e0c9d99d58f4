import { expect, test } from 'vitest'
import { isEmail, normalizeEmail } from '../../src/profile-a/store/email-address.ts'
import addresses from './email-addresses.json' with { type: 'json' }

test.for(addresses.accepted)('accepts %j', (address) => {
  expect(isEmail(address)).toBe(true)
})

test.for(addresses.rejected)('rejects %j', (address) => {
  expect(isEmail(address)).toBe(false)
})

test('accepts every address that earlier versions accepted, except labels that end with a hyphen', () => {
  // xn--a is not a valid A-label (RFC 5890), but it was accepted.
  expect(isEmail('ada@xn--a.com')).toBe(true)
  expect(isEmail(`${'x'.repeat(243)}@example.com`)).toBe(true)
  expect(isEmail('user@sub-.example.com')).toBe(false)
})

test.for([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ZOË@example.com', 'zoë@example.com'],
  ['Zoe\u0308@example.com', 'zoë@example.com'],
  ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
  ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
])('normalizes %s to %s', ([address = '', normalized]) => {
  expect(normalizeEmail(address)).toBe(normalized)
})
