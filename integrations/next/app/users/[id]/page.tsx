import { notFound } from 'next/navigation'
import { UserId } from '#ids'

interface Props {
  readonly params: Promise<{ id: string }>
}

/** Accepts both forms. Responds 404 to the id of another type. */
export default async function Page({ params }: Props) {
  const { data } = UserId.safeParseEitherForm((await params).id)
  if (!data) notFound()
  return <h1>{data}</h1>
}
