import { slug } from './place.ts'
import { read, write } from './stored.ts'

const key = `key.next.${slug}`
const patienceMs = 30 * 60_000

/** Remembers the screen that needs a sign-in, with its query; the mailed link may open another tab. */
export const rememberNext = (path: string) => write(key, `${Date.now()} ${path}`)

/** The screen to open after a sign-in. */
export function takeNext(): string {
  const [at = '', path = '/'] = (read(key) ?? '').split(' ')
  write(key, undefined)
  return Date.now() - Number(at) < patienceMs && /^\/[^/]/.test(path) ? path : '/'
}
