import { afterAll, vi } from 'vitest'

// Files share a worker: a leftover clock, global or mock would affect the next file.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
