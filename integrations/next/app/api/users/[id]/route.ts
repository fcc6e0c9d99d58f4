import { findUser, UserId } from '#users'

interface Context {
  readonly params: Promise<{ id: string }>
}

/** Responds with the message of the parser to an invalid id. */
export async function GET(_: Request, { params }: Context) {
  const { data, error } = UserId.safeParse((await params).id)
  return error ? Response.json({ detail: error.message }, { status: 422 }) : Response.json(findUser(data))
}
