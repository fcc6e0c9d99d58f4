/** Returns a retyped part of an id in lower case, with the digits 1 and 0 instead of the letters I, L and O. */
export function correctLookAlikes(text: string): string {
  return text.toLowerCase().replace(/[il]/g, '1').replaceAll('o', '0')
}
