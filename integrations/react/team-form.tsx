import { useQuery } from '@tanstack/react-query'
import { parseLoose } from 'typed-id/loose'
import { TeamId } from '../orm/ids.ts'

/** The id is a complete key, because it contains its type: no record of another type has the same key. */
export const teamQuery = (id: TeamId) => ({
  queryKey: [id],
  queryFn: async (): Promise<{ name: string }> => (await fetch(`/teams/${id}`)).json(),
})

/** Reads what a person has typed, in either form, and returns the id or a message for the form. */
export function readTeam(form: FormData): { id?: TeamId; error?: string } {
  const { data, error } = parseLoose(TeamId, form.get('team'))
  return data ? { id: data } : { error: error?.message ?? '' }
}

export function Team({ id }: { id: TeamId }) {
  const { data } = useQuery(teamQuery(id))
  return <strong>{data?.name ?? '…'}</strong>
}
