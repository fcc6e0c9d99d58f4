import { UserId } from '#ids'

interface Context {
  readonly params: Promise<{ id: string }>
}

/** Responds to an invalid id with the message of the error. */
export async function GET(_: Request, { params }: Context) {
  const { data, error } = UserId.safeParse((await params).id)
  // Read your database here.
  if (data) return Response.json({ id: data })
  return Response.json({ detail: error.message }, { status: 422 })
}
