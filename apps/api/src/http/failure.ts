import { UnavailableError } from '../database/errors.ts'
import { OverloadedError } from '../limiter.ts'
import { problem, type Reply } from './reply.ts'

/** What a client is told of something that was thrown; the rest is for the log. */
export const failure = (error: unknown): Reply =>
  error instanceof UnavailableError || error instanceof OverloadedError ? unavailable() : problem('internal')

/** The same request may succeed in a second. */
export const unavailable = (): Reply => problem('unavailable', { 'retry-after': '1' })
