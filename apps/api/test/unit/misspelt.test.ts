import { expect, test } from 'vitest'
import { findMisspelt } from '../../src/composition/misspelt.ts'
import { VARIABLES } from '../../src/composition/variables.ts'

test.each([
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['METRICS_PROT', 'METRICS_PORT'],
  ['PROT', 'PORT'],
  ['PASSWORD_HASH', 'PASSWORD_HASHES'],
])('%s is reported as a misspelt %s', (variable, expected) => {
  expect(findMisspelt({ [variable]: '1' })).toEqual([{ variable, expected }])
})

test('no variable of the service or of a usual environment is reported', () => {
  const usual = [
    'PATH',
    'PWD',
    'HOME',
    'HOSTNAME',
    'PGHOST',
    'PGPORT',
    'SHELL',
    'TERM',
    'NODE_ENV',
    'LOGNAME',
    'TZ',
  ]
  const ofOtel = [
    'OTEL_SERVICE_NAME',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
    'OTEL_LOGS_EXPORTER',
  ]
  const names = [...Object.keys(VARIABLES), ...usual, ...ofOtel]
  expect(findMisspelt(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([])
})
