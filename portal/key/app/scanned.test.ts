import { afterEach, expect, test, vi } from 'vitest'
import { pageOfScanned } from './scanned.ts'

afterEach(() => vi.unstubAllGlobals())
const scanned = { pathname: '/key/aurora/m/0a1b2c3d4e5f', search: '?scanned' }
const signedIn = (mark: string | null) =>
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'gettone.session.signedIn' ? mark : null) })

test('a scanned machine leads a user of the staff’s portal to its page there', () => {
  signedIn('yes')
  expect(pageOfScanned(scanned)).toBe('/m/0a1b2c3d4e5f?staff')
})

test('a customer stays in the app, and so does a user who opens a machine within it', () => {
  signedIn(null)
  expect(pageOfScanned(scanned)).toBeUndefined()
  signedIn('yes')
  expect(pageOfScanned({ ...scanned, search: '' })).toBeUndefined()
  expect(pageOfScanned({ pathname: '/key/aurora/m/', search: '?scanned' })).toBeUndefined()
})
