import { expect, test } from 'vitest'
import { warrantyOf } from './warranty.ts'

const now = new Date('2026-11-21T23:30:00Z')

test('a warranty is valid through its last day where the machine stands', () => {
  expect(warrantyOf('2026-11-22', now, 'Europe/Rome')?.state).toBe('ending')
  expect(warrantyOf('2026-11-21', now, 'Europe/Rome')?.state).toBe('ended')
  expect(warrantyOf('2026-11-21', now, 'America/Bogota')?.state).toBe('ending')
})

test('one that ends within two months is ending', () => {
  expect(warrantyOf('2027-01-20', now, 'UTC')?.state).toBe('ending')
  expect(warrantyOf('2027-01-21', now, 'UTC')?.state).toBe('valid')
})

test('no warranty is no statement', () => {
  expect(warrantyOf(null, now, 'UTC')).toBeUndefined()
})
