'use server'
import { redirect } from 'next/navigation'
import { parseLoose } from 'typed-id'
import { UserId } from '#ids'

/** Parses the id that a person has typed. Clients may send anything. */
export async function openUser(form: FormData) {
  const { data, error } = parseLoose(UserId, form.get('id'))
  if (data) redirect(`/users/${UserId.toShort(data)}`)
  redirect(`/?${new URLSearchParams({ error: error.message })}`)
}
