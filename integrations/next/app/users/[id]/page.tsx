import { notFound } from 'next/navigation'
import { findUser, UserId } from '#users'

/** Accepts both forms. An id of another type has no page. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { data } = UserId.safeParseAny((await params).id)
  if (!data) notFound()
  return <h1>{findUser(data).id}</h1>
}
