import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cleanUp } from '#portal/app/session/onLogout.ts'
import {
  dropInput,
  dropOthers,
  filledFrom,
  hasInput,
  type InputPlace,
  inputAt,
  keepInput,
  withoutSecrets,
} from './keptInput.ts'

const anna: InputPlace = { userId: 'anna', merchantId: 'aurora', form: '/manage/clients/create' }
const none: ReadonlySet<string> = new Set()

/** The storage of a browser's tab. */
function aStorage(mostLetters = 1_000) {
  const entries = new Map<string, string>()
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > mostLetters) throw new DOMException('full', 'QuotaExceededError')
      entries.set(key, text)
      Object.assign(storage, { [key]: text })
    },
    removeItem: (key: string) => {
      entries.delete(key)
      delete (storage as Record<string, unknown>)[key]
    },
  }
  return storage
}
beforeEach(() => void vi.stubGlobal('sessionStorage', aStorage()))
afterEach(() => void vi.unstubAllGlobals())

test('input is kept for its user, its merchant and its form only', () => {
  keepInput(anna, { name: 'Caffè' })
  expect(inputAt(anna)).toEqual({ name: 'Caffè' })
  expect(inputAt({ ...anna, userId: 'berta' })).toBeUndefined()
  expect(inputAt({ ...anna, merchantId: 'sol' })).toBeUndefined()
  expect(inputAt({ ...anna, form: '/manage/groups' })).toBeUndefined()
  dropInput(anna)
  expect(inputAt(anna)).toBeUndefined()
})

test('an automatic end of the session keeps it; a sign-out, another user and lost access erase it', () => {
  keepInput(anna, 1)
  cleanUp('autoLogout')
  expect(hasInput()).toBe(true)
  for (const why of ['signedOut', 'anotherUser', 'barred'] as const) {
    keepInput(anna, 1)
    cleanUp(why)
    expect(hasInput(), why).toBe(false)
  }
})

test('another user who signs in in the same tab erases it', () => {
  keepInput(anna, 1)
  dropOthers('anna')
  expect(inputAt(anna)).toBe(1)
  dropOthers('berta')
  expect(inputAt(anna)).toBeUndefined()
})

test('input that is too large for the tab leaves nothing older behind', () => {
  keepInput(anna, 'short')
  keepInput(anna, 'x'.repeat(2_000))
  expect(inputAt(anna)).toBeUndefined()
})

test('secrets and files are never stored, however deep, and the form keeps its own', () => {
  const values = {
    name: 'Storage',
    password: 'Wrong-1',
    pin: '12345678',
    credentials: { terminal: 'T1', code: 'own secret' },
    secrets: { mac: 'x' },
    file: new Blob(['x']),
    picture: 'data:image/png;base64,AAAA',
    lines: [{ name: 'a', apiToken: 'y' }, new Blob(['z'])],
  }
  const publicValues = withoutSecrets(values, new Set(['credentials.code']))
  expect(publicValues).toEqual({
    name: 'Storage',
    credentials: { terminal: 'T1' },
    lines: [{ name: 'a' }, null],
  })
  const empty = { ...values, name: '', password: '', credentials: { terminal: '', code: '' } }
  expect(filledFrom(empty, JSON.parse(JSON.stringify(publicValues)))).toMatchObject({
    name: 'Storage',
    password: '',
    credentials: { terminal: 'T1', code: '' },
  })
  expect(withoutSecrets(['a', 1, null], none)).toEqual(['a', 1, null])
})
