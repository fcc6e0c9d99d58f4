'use server'
import { redirect } from 'next/navigation'
import { parseLoose } from 'typed-id/loose'
import { UserId } from '#users'

/** Reads what a person has typed, in either form. The fields of a form are strings of the client, so the action parses them. */
export async function openUser(form: FormData) {
  const { data, error } = parseLoose(UserId, form.get('id'))
  redirect(data ? `/users/${UserId.toShort(data)}` : `/?${new URLSearchParams({ error: error.message })}`)
}
