import { slug } from './place.ts'
import { read, write } from './stored.ts'

const key = `key.typed.${slug}`
const lastsMs = 24 * 3_600_000

/** What was typed into a form, by field. */
type Fields = Readonly<Record<string, string>>
interface FormDraft {
  form: string
  /** Something of the customer's own, such as a medium: another customer of the device does not see the text. */
  owner: string
  at: number
  fields: Fields
}

function last(): FormDraft | undefined {
  try {
    return JSON.parse(read(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps what a customer types until it is sent: the session may end meanwhile, and the mailed link of the sign-in may open another tab. The
 * device keeps one form for a day.
 */
export const keepTyped = (form: string, owner: string, fields: Fields) =>
  write(key, JSON.stringify({ form, owner, at: Date.now(), fields } satisfies FormDraft))

/** What the owner of one of these typed into a form and has not sent. */
export function typedIn(form: string, owners: readonly string[]): Fields {
  const typed = last()
  const isOwn = typed?.form === form && owners.includes(typed.owner) && Date.now() - typed.at < lastsMs
  return isOwn ? typed.fields : {}
}

/** After it was sent, or the customer signed out. */
export const forgetTyped = () => write(key, undefined)
