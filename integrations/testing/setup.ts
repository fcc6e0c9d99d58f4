import { countingUuids, replaceUuids, restoreUuids } from 'typed-id/testing'
import { afterEach, beforeEach } from 'vitest' // with Jest: '@jest/globals'

/* List this file in `setupFiles` of Vitest, or in `setupFilesAfterEnv` of Jest, so that each test has the same ids. */
beforeEach(() => void replaceUuids(countingUuids()))
afterEach(restoreUuids)
