import { expect, test } from 'vitest'
import { isEmail, normalizeEmail } from '../../src/profile-a/email-address.ts'

const ACCEPTED = [
  'ada@bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.com',
  "AZaz09!#$%&'*+-/=?^_`{|}~@example.com",
  'a@a-b.example.com',
  'a@xn--bcher-kva.example.com',
  'a@BÜCHER.example.com',
  '用户@例子.广告',
  'अजय@डाटा.भारत',
  'a.b.c@EXAMPLE.COM',
  '-a-@example.com',
  '😀@example.com',
  'ada@xn--a.com',
  'a@b.c-d',
  'a@xn--bcher-kva.bücher.example',
  'a@ab--c.example.com',
  'a@ΟΔΟΣ.gr',
  'a@bu\u0308cher.example',
  'a@bü-cher.example',
]

const REJECTED = [
  'ada.example.com',
  'ada@',
  '@example.com',
  'ada@b@example.com',
  'a b@example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..b@example.com',
  'ada@example',
  'ada@example..com',
  'ada@example.com.',
  'ada@-example.com',
  'ada@example-.com',
  'ada@exa_mple.com',
  'ada@[127.0.0.1]',
  '"ada"@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\n',
  'a\u0000b@example.com',
  'a\u034fb@example.com',
  'a@ü\u00adx.com',
  '\u3164@example.com',
  'ada@xn--.com',
  'ada@bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.com',
  'ada@üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü.com',
  'a@b.-c',
  'a@exa%6dple。com',
  'b@bücher.exa\r\nmple',
  'c@bücher.example/x',
  'e@\u0301bücher.example',
  'f@bücher\\x.example',
  'i@bücher@x.example',
  'a@-ü.com',
  'a@ü-.com',
  'a@ab--ü.com',
  'a@-x.ü.com',
  'a@x-.ü.com',
  'a@\ufdfa.com',
  'a@ü\uff0ecom',
  'a@1.2.3.\u0664',
  'a@xn--a-.ü.com',
]

test.for(ACCEPTED)('accepts the address %j', (address) => {
  expect(isEmail(address)).toBe(true)
})

test.for(REJECTED)('rejects the address %j', (address) => {
  expect(isEmail(address)).toBe(false)
})

test.for([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ZOË@BÜCHER.example', 'zoë@xn--bcher-kva.example'],
  // J and U+030C have no composed form, but j and U+030C compose to U+01F0. So
  // NFC must be applied to the lower-case address.
  ['J\u030c@example.com', '\u01f0@example.com'],
  ['ΟΔΟΣ@example.com', 'οδοσ@example.com'],
  ['οδος.οδος@example.com', 'οδοσ.οδοσ@example.com'],
  // In domain names, σ and ς are different letters.
  ['a@οδος.gr', 'a@xn--pxavbm.gr'],
  // Lower case keeps `ſ`. Case folding would replace `ſ` by `s`.
  ['ſ@example.com', 'ſ@example.com'],
  ['STRAẞE@example.com', 'straße@example.com'],
  ['a@ΟΔΟΣ.gr', 'a@xn--pxavbq.gr'],
])('normalizes %s to %s', ([address = '', normalized]) => {
  expect(normalizeEmail(address)).toBe(normalized)
})

test('accepts a domain of 253 ASCII characters, and of no more', () => {
  const address = (last: number) =>
    `a@${'ü.'.repeat(30)}${'b'.repeat(last)}.com` // ü is xn--tda in ASCII
  expect(isEmail(address(9))).toBe(true)
  expect(isEmail(address(10))).toBe(false)
})

test('rejects a domain with a character that its ASCII form drops or replaces', () => {
  const accepted: string[] = []
  for (let code = 0x80; code < 0xd800; code += 1) {
    const character = String.fromCodePoint(code)
    const domain = `ex${character}ample.com`
    const { hostname = 'xn--' } = URL.parse(`http://${domain}`) ?? {}
    if (!hostname.includes('xn--') && isEmail(`a@${domain}`))
      accepted.push(character)
  }
  // The Kelvin sign, U+212A, is accepted, because its lower case is k.
  expect(accepted).toEqual(['\u212a'])
})
