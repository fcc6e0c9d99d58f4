import { campaign as bench } from './bench/campaign.ts'
import { campaign as failover } from './failover/campaign.ts'
import { campaign as flood } from './flood/campaign.ts'
import { campaign as fuzz } from './fuzz/campaign.ts'
import { campaign as history } from './history/campaign.ts'
import type { Campaign } from './kit/campaign.ts'
import { campaign as rolling } from './rolling/campaign.ts'

/** Every campaign by the name that `pnpm lab` takes. */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  history,
  flood,
  fuzz,
  rolling,
  failover,
  bench,
}
