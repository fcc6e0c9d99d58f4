import { findUser, UserId } from '#users'

/** Responds with the message of the parser to any other id. */
export async function GET(_: Request, { params }: { params: Promise<{ id: string }> }) {
  const { data, error } = UserId.safeParse((await params).id)
  return error ? Response.json({ detail: error.message }, { status: 422 }) : Response.json(findUser(data))
}
