import type { Migrations } from '../../../database/migrate.ts'
import * as initial from './0001-initial.ts'

export const migrations: Migrations = { '0001-initial': initial }
