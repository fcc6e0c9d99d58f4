import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Engine } from '../engine.ts'
import { backupSqlite } from './backup.ts'
import { openFile } from './open-file.ts'
import { openMemory } from './open-memory.ts'

const SCHEME = 'sqlite:'
const MEMORY = ':memory:'

export const sqlite: Engine = {
  urlForms: `${SCHEME}<file>, ${SCHEME}${MEMORY}`,
  parseUrl(url, root) {
    const file = url.slice(SCHEME.length)
    if (!url.startsWith(SCHEME) || file === '') return undefined
    return file === MEMORY ? url : SCHEME + resolve(root, file)
  },
  singleWorkerReason: 'SQLite has one writer at a time, so several processes are slower than one',
  async open(url, { mustExist = false }) {
    const file = url.slice(SCHEME.length)
    if (mustExist && !existsSync(file)) throw new Error('the file does not exist')
    return file === MEMORY ? openMemory() : openFile(file)
  },
  backup: (url, file, options) => backupSqlite(url.slice(SCHEME.length), file, options),
}
