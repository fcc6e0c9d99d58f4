import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Returns whether a string is a loopback IP address, in any notation, with or
 * without the brackets of a URL.
 */
export function isLoopback(text: string): boolean {
  const address = text.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  return version > 0 && LOOPBACK.check(address, version > 4 ? 'ipv6' : 'ipv4')
}
