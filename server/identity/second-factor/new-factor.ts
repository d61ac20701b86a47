import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '#database/people/identity.ts'
import { readUserAgent } from '#domain/frame/user-agent.ts'
import { wordsIn } from '../../words/words.ts'
import { formOf } from '../page-forms.ts'
import type { Site } from '../site.ts'
import { appAddress } from './codes.ts'
import { longestFactorName } from './factors.ts'

interface Adding {
  kind: 'app' | 'passkey'
  account: Account
  origin: string
  /** The step that the secret or the challenge belongs to. */
  step: string
  /** The address of the page before. */
  back: string
}

/** A factor's name as typed; undefined when it is empty or too long. */
export function nameOf(text: string): string | undefined {
  const name = text.replace(/\s+/g, ' ').trim()
  return name.length > 0 && name.length <= longestFactorName ? name : undefined
}

/** The name that a new factor has when the user types none: of the app, or of the browser that makes the passkey. */
function usualName({ languageOf }: Site, request: FastifyRequest, kind: Adding['kind']): string {
  const words = wordsIn(languageOf(request.raw), 'second-factor')
  if (kind === 'app') return words('list.app')
  const { browser, system } = readUserAgent(request.headers['user-agent'] ?? '')
  return system ?? browser ?? words('list.passkey')
}

/** The page on which a user adds an app or a passkey. */
export async function showNewFactor(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, account, origin, step, back }: Adding,
  fault?: { status: number; fault: 'wrong' | 'passkey'; name: string },
) {
  const { answer, factorPages, factors } = site
  const state = { name: fault?.name ?? usualName(site, request, kind), back, fault: fault?.fault }
  if (kind === 'passkey') {
    const passkey = await factors.passkeys.toAdd(step, account, origin)
    return answer(reply, factorPages.passkey(request.raw, { ...state, passkey }), fault?.status)
  }
  const secret = await factors.appToAdd(step, account)
  const address = appAddress(secret, account.email)
  return answer(reply, factorPages.app(request.raw, { ...state, secret, address }), fault?.status)
}

/** Stores the app or passkey of a form, mails its owner, and continues with the recovery codes if there are new ones. */
export async function answerNewFactor(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  adding: Adding,
  goOn: (codes: string[] | undefined) => Promise<unknown>,
) {
  const { factors, languageOf, letters, post } = site
  const { kind, account, origin, step } = adding
  const form = formOf(request)
  const name = nameOf(form('name')) ?? usualName(site, request, kind)
  const now = new Date()
  const added =
    kind === 'passkey'
      ? await factors.addPasskey(step, account, { origin, text: form('passkey'), name, now })
      : await factors.addApp(step, account, { code: form('code'), name, now })
  if (!added)
    return showNewFactor(site, request, reply, adding, {
      status: 422,
      fault: kind === 'passkey' ? 'passkey' : 'wrong',
      name,
    })
  post(letters.factorAdded(account, languageOf(request.raw), now, name))
  return goOn(added.codes)
}
