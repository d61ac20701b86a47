import { Secret, TOTP } from 'otpauth'
import { type Answer, anAuthorization, type Browser, tokensOf } from '../identity.ts'

export interface SignInForm {
  /** The address of the sign-in page. */
  at: string
  verifier: string
}

/** A sign-in up to its form. */
export async function aSignIn(browser: Browser, changed: Record<string, string> = {}): Promise<SignInForm> {
  const request = anAuthorization({ prompt: 'login', ...changed })
  const { at } = await browser.follow(await browser.get(request.url))
  return { at, verifier: request.verifier }
}

/** A sign-in up to the page after the right password. */
export async function afterPassword(browser: Browser, person: { email: string; password: string }) {
  const form = await aSignIn(browser)
  const answer = await browser.follow(await browser.post(form.at, { email: person.email, password: person.password }))
  return { ...form, page: answer.at, body: answer.body }
}

/** The tokens at the end of a sign-in; undefined while the provider still shows a page. */
export async function tokensAfter(browser: Browser, answer: Answer, verifier: string) {
  const { at } = await browser.follow(answer)
  const code = new URL(at).searchParams.get('code')
  return code ? (await tokensOf(browser, { code, verifier })).tokens : undefined
}

/** The code that an app shows, now or some steps of 30 seconds apart. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** The secret on the page that adds an app. */
export const secretIn = (body: string): string => (/id="key">([A-Z2-7 ]+)</.exec(body)?.[1] ?? '').replaceAll(' ', '')

/** What a page hands to the browser for a passkey. */
export function passkeyIn(body: string): { challenge: string } {
  const text = /data-passkey="([^"]+)"/.exec(body)?.[1]
  if (!text) throw new Error('The page takes no passkey')
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'))
}

/** The recovery codes on a page. */
export const recoveryCodesIn = (body: string): string[] =>
  [...body.matchAll(/<li>([a-z2-7]{4}(?:-[a-z2-7]{4}){5})<\/li>/g)].map(([, code]) => code as string)

export const securityPage = '/identity/security'

/** Confirms in a signed-in browser who its user is. */
export const confirm = (browser: Browser, form: Record<string, string>): Promise<Answer> =>
  browser.post(securityPage, form)

/** Sets up an authenticator app in a browser that has confirmed. The code of the present step is used with it. */
export async function addApp(browser: Browser, name = 'Phone'): Promise<{ secret: string; codes: string[] }> {
  const secret = secretIn((await browser.get(`${securityPage}/app`)).body)
  const answer = await browser.post(`${securityPage}/app`, { code: codeOf(secret), name })
  return { secret, codes: recoveryCodesIn(answer.body) }
}
