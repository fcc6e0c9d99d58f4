import { queriesOn } from '../../database/query.ts'
import { tablesOf } from '../../database/table.ts'
import type { TeamId, UserId } from '../../ids.ts'

export interface Tables {
  teams: { id: TeamId; name: string }
  users: { id: UserId; name: string; email: string; team_id: TeamId | null }
}

export const query = queriesOn<Tables>(
  tablesOf<Tables>({
    teams: { id: 'id', name: 'text' },
    users: { id: 'id', name: 'text', email: 'text', team_id: 'reference or null' },
  }),
)
