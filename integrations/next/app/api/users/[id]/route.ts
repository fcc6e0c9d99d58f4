import { UserId } from '#ids'

interface Context {
  readonly params: Promise<{ id: string }>
}

/** Responds with the message of the parser to an invalid id. */
export async function GET(_: Request, { params }: Context) {
  const { data, error } = UserId.safeParse((await params).id)
  if (data) return Response.json({ id: data }) // from your database
  return Response.json({ detail: error.message }, { status: 422 })
}
