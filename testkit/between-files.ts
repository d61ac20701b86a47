import { afterAll, vi } from 'vitest'

// Files share a worker: a clock, global or mock that one leaves behind would reach the next.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
