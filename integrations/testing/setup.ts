import {
  countingUuids,
  replaceUuids,
  restoreUuids,
} from 'typed-id/testing'
// In Jest, import from '@jest/globals'.
import { afterEach, beforeEach } from 'vitest'

/*
 * Gives each test the same ids. List this file in `setupFiles` of
 * Vitest, or in `setupFilesAfterEnv` of Jest.
 */
beforeEach(() => void replaceUuids(countingUuids()))
afterEach(restoreUuids)
