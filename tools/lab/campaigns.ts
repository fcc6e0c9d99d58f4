import { campaign as bench } from './bench/campaign.ts'
import { campaign as benchPostgres } from './bench-postgres/campaign.ts'
import { campaign as copy } from './copy/campaign.ts'
import { campaign as failover } from './failover/campaign.ts'
import { campaign as flame } from './flame/campaign.ts'
import { campaign as flood } from './flood/campaign.ts'
import { campaign as fuzz } from './fuzz/campaign.ts'
import { campaign as growth } from './growth/campaign.ts'
import { campaign as history } from './history/campaign.ts'
import { campaign as kill } from './kill/campaign.ts'
import type { Campaign } from './kit/campaign.ts'
import { campaign as pgbouncer } from './pgbouncer/campaign.ts'
import { campaign as pool } from './pool/campaign.ts'
import { campaign as rolling } from './rolling/campaign.ts'
import { campaign as slowDisk } from './slow-disk/campaign.ts'
import { campaign as slowReader } from './slow-reader/campaign.ts'
import { campaign as workers } from './workers/campaign.ts'

/** Every campaign by the name that `pnpm lab` takes. */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  kill,
  history,
  flood,
  fuzz,
  'slow-reader': slowReader,
  rolling,
  failover,
  growth,
  copy,
  pgbouncer,
  pool,
  workers,
  bench,
  'bench-postgres': benchPostgres,
  'slow-disk': slowDisk,
  flame,
}
