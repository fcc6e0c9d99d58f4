import { mkdirSync, writeFileSync } from 'node:fs'
import own from './test/vectors/typed-id.json' with { type: 'json' }
import typeid from './test/vectors/typeid.json' with { type: 'json' }

const { valid, prefixes, invalid, base62, names, opaque } = own
const PREFIX_VALUE = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  suffix: '01h455vb4pex5vsknk084sn02q',
  ms: 1688096058518,
}

export const VECTORS = {
  valid: [
    ...valid,
    ...Object.entries(prefixes).map(([why, prefix]) => ({
      ...{ why: `prefix ${why}`, prefix },
      ...PREFIX_VALUE,
    })),
    ...typeid.valid
      .filter(({ prefix }) => prefix === '')
      .map(({ typeid: suffix, uuid }) => ({
        why: `TypeID 0.3, ${suffix}`,
        prefix: 'prefix',
        uuid,
        suffix,
        ms: undefined,
      })),
  ].map(({ why, prefix, uuid, suffix, ms = null }) => ({
    why,
    prefix,
    standard: `${prefix}-${uuid}`,
    short: `${prefix}_${suffix}`,
    uuid,
    bytes: uuid.replaceAll('-', ''),
    ms,
  })),
  invalid: [
    ...invalid.flatMap(({ form, code, texts }) =>
      Object.entries(texts).map(([why, text]) => ({
        why,
        prefix: 'user',
        form,
        text: text
          .replace('{uuid}', '0190163d-8694-739b-aea5-966c26f8ad91')
          .replace('{suffix}', '01j0b3v1mmeedtx9cpdgkfhbch'),
        code,
      })),
    ),
    ...typeid.invalid
      .filter(({ typeid }) => typeid.includes('fix_'))
      .map(({ why, typeid }) => ({
        why: `TypeID 0.3, ${why}`,
        prefix: 'prefix',
        form: 'short',
        text: typeid,
        code: 'malformed_short',
      })),
  ],
  base62: base62.map(({ uuid, digits }) => ({
    prefix: 'user',
    standard: `user-${uuid}`,
    base62: `user_${digits}`,
  })),
  /** Expected results of `idFromName`, computed by Python's `uuid.uuid5`. */
  names: names.map(({ type, name, namespace = null, uuid }) => ({
    prefix: type,
    name,
    namespace,
    standard: `${type}-${uuid}`,
  })),
  /**
   * Opaque ids computed by a Python implementation. The first vector is the
   * example of github.com/stateless-me/uuidv47.
   */
  opaque: opaque.map(({ key, uuid, opaque }) => ({
    prefix: 'user',
    key,
    standard: `user-${uuid}`,
    opaque: `user-${opaque}`,
  })),
}

if (import.meta.main) {
  mkdirSync('dist', { recursive: true })
  writeFileSync(
    'dist/vectors.json',
    `${JSON.stringify(VECTORS, undefined, 1)}\n`,
  )
}
