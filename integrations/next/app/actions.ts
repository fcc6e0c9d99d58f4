'use server'
import { redirect } from 'next/navigation'
import { parseLoose } from 'typed-id/loose'
import { UserId } from '#users'

/** Parses the id that a person has typed, in either form. A client may send any text in a form field. */
export async function openUser(form: FormData) {
  const { data, error } = parseLoose(UserId, form.get('id'))
  redirect(data ? `/users/${UserId.toShort(data)}` : `/?${new URLSearchParams({ error: error.message })}`)
}
