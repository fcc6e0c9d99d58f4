import { notFound } from 'next/navigation'
import { UserId } from '#ids'

interface Props {
  readonly params: Promise<{ id: string }>
}

/** Accepts both forms. An id of another type has no page. */
export default async function Page({ params }: Props) {
  const { data } = UserId.safeParseEitherForm((await params).id)
  if (!data) notFound()
  return <h1>{data}</h1>
}
