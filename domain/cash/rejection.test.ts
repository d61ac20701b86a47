import { expect, test } from 'vitest'
import { rejectionBand, rejectionRate } from './rejection.ts'

test.each([
  [{ accepted: 0, rejected: 0 }, null, 'none'],
  [{ accepted: 10, rejected: 0 }, 0, 'good'],
  [{ accepted: 8501, rejected: 1499 }, 14.99, 'good'],
  [{ accepted: 85, rejected: 15 }, 15, 'middling'],
  [{ accepted: 80, rejected: 20 }, 20, 'middling'],
  [{ accepted: 7999, rejected: 2001 }, 20.01, 'bad'],
  [{ accepted: 0, rejected: 3 }, 100, 'bad'],
])('%o are %s percent: %s', (counts, rate, band) => {
  const calculated = rejectionRate(counts)
  if (rate === null) expect(calculated).toBeNull()
  else expect(calculated).toBeCloseTo(rate, 10)
  expect(rejectionBand(calculated)).toBe(band)
})
