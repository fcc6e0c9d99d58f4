import { useQuery } from '@tanstack/react-query'
import { defineId, type IdOf, parseLoose } from 'typed-id'

const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>

/** The id is a complete key, because it contains its type. */
export const teamQuery = (id: TeamId) => ({
  queryKey: [id],
  queryFn: async (): Promise<{ name: string }> =>
    (await fetch(`/teams/${id}`)).json(),
})

/** Reads what a person has typed. Returns the id, or a message. */
export function readTeam(form: FormData): {
  id?: TeamId
  error?: string
} {
  const { data, error } = parseLoose(TeamId, form.get('team'))
  return data ? { id: data } : { error: error?.message ?? '' }
}

export function Team({ id }: { id: TeamId }) {
  const { data } = useQuery(teamQuery(id))
  return <strong>{data?.name ?? '…'}</strong>
}
