import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Returns whether a string is an IP address of this machine's loopback
 * interface, in any notation, with or without the brackets of a URL.
 */
export function isLoopback(text: string): boolean {
  const address = text.replace(/^\[|\]$/g, '')
  switch (isIP(address)) {
    case 4:
      return LOOPBACK.check(address)
    case 6:
      return LOOPBACK.check(address, 'ipv6')
    default:
      return false
  }
}
