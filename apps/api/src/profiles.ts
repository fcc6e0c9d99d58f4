import type { Profile } from './profile.ts'
import { profileA } from './profile-a/index.ts'
import { profileB } from './profile-b/index.ts'

/** The values of PROFILE. */
export const PROFILES = { a: profileA, b: profileB } as const satisfies Record<
  string,
  Profile
>

export type ProfileName = keyof typeof PROFILES
