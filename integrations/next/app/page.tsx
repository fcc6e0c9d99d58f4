import { openUser } from './actions.ts'

export default async function Page({ searchParams }: { searchParams: Promise<{ error?: string }> }) {
  const { error } = await searchParams
  return (
    <form action={openUser}>
      <input name="id" aria-label="User id" />
      {error && <p role="alert">{error}</p>}
    </form>
  )
}
