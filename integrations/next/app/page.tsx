import { openUser } from './actions'

export const instant = false

interface Props {
  readonly searchParams: Promise<{ error?: string }>
}

export default async function Page({ searchParams }: Props) {
  const { error } = await searchParams
  return (
    <form action={openUser}>
      <input name="id" aria-label="User id" />
      {error && <p role="alert">{error}</p>}
    </form>
  )
}
