import { onLogout } from '#portal/app/session/onLogout.ts'

/*
 * Unsaved input of forms, kept in the tab over a sign-in. It belongs to one user; secrets are never stored, nor files but a visit's small picture.
 */

/** Where input belongs: to one user, one merchant and one form. */
export interface InputPlace {
  userId: string
  merchantId: string
  /** The address without list state, and the form there. */
  form: string
}

const prefix = 'gettone.input.'
const ofUser = (userId: string) => `${prefix}${userId}.`
const keyOf = ({ userId, merchantId, form }: InputPlace) => `${ofUser(userId)}${merchantId}.${form}`

/** Beside the fields that say so themselves: no field with such a name is stored. */
const secretName = /pass(word|phrase)|secret|token|^pin$|credential(?!s$)|privateKey|apiKey/i

const isFile = (value: unknown) => value instanceof Blob || (typeof value === 'string' && value.startsWith('data:'))

/** A copy without secrets and files. `secrets` are paths of fields, parts of an object after a dot. */
export function withoutSecrets(value: unknown, secrets: ReadonlySet<string>, path = ''): unknown {
  if (isFile(value)) return undefined
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, secrets, path) ?? null)
  if (value === null || typeof value !== 'object') return value
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`
    return secrets.has(at) || secretName.test(name) ? [] : [[name, withoutSecrets(part, secrets, at)] as const]
  })
  return Object.fromEntries(parts)
}

/** Kept values over the form's own, which has what was never stored. */
export function filledFrom<T>(initial: T, stored: unknown): T {
  if (stored === undefined) return initial
  if (!isParts(initial) || !isParts(stored)) return stored as T
  const filled = Object.entries(stored).map(([name, value]) => [name, filledFrom((initial as Parts)[name], value)])
  return { ...initial, ...Object.fromEntries(filled) }
}
type Parts = Record<string, unknown>
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A browser without room or storage keeps nothing. */
const tried = <T>(work: (storage: Storage) => T): T | undefined => {
  try {
    return work(sessionStorage)
  } catch {
    return undefined
  }
}

const keysIn = (storage: Storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))

/** Keeps input; the last one of a place replaces the earlier. */
export function keepInput(place: InputPlace, input: unknown): void {
  // What is too large now must not leave an older state behind.
  dropInput(place)
  tried((storage) => storage.setItem(keyOf(place), JSON.stringify(input)))
}

export const dropInput = (place: InputPlace): void => void tried((storage) => storage.removeItem(keyOf(place)))

export const inputAt = (place: InputPlace): unknown =>
  tried((storage) => JSON.parse(storage.getItem(keyOf(place)) ?? 'null') as unknown) ?? undefined

/** Whether any input waits for its user's sign-in. */
export const hasInput = (): boolean => tried((storage) => keysIn(storage).length > 0) ?? false

/** A user has signed in: what others left in this tab is erased. */
export const dropOthers = (userId: string): void =>
  void tried((storage) => {
    for (const key of keysIn(storage)) if (!key.startsWith(ofUser(userId))) storage.removeItem(key)
  })

// It survives only the end of a session that the user did not end.
onLogout('input', (why) => {
  if (why === 'autoLogout') return
  tried((storage) => {
    for (const key of keysIn(storage)) storage.removeItem(key)
  })
})
