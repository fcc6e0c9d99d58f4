import {
  countingUuids,
  replaceUuids,
  restoreUuids,
} from 'typed-id/testing'
import { afterEach, beforeEach } from 'vitest' // Jest: '@jest/globals'

/*
 * Gives each test the same ids. List this file in `setupFiles` of
 * Vitest, or in `setupFilesAfterEnv` of Jest.
 */
beforeEach(() => void replaceUuids(countingUuids()))
afterEach(restoreUuids)
