import type { Page } from 'playwright-core'
import type { Role } from '#contract/vocabulary/roles.ts'
import { demoAccounts } from '#demo/operators/people.ts'
import type { TestDatabase } from '../database.ts'
import { aUser } from '../fixtures.ts'
import { anAuthorization } from '../identity.ts'
import { givePassword } from '../passwords.ts'
import { aPage, type PageOptions } from './browser.ts'

/** The password of all users, also of the demo's. */
export const password = 'Gettone-demo-1'

/** A user with their own or the shared password, or the demo user of a role. */
export type Who = { email: string; password?: string } | Role

/** A user with the password who may see the given merchants, entirely or by groups. */
export async function aUserWithPassword(
  database: Pick<TestDatabase, 'admin' | 'withSystem'>,
  role: Role,
  merchants: Parameters<typeof aUser>[2] = [],
  option: Parameters<typeof aUser>[3] = {},
): ReturnType<typeof aUser> {
  const user = await aUser(database, role, merchants, option)
  await givePassword(database, user.id, password)
  return user
}

/** Fills in and submits the sign-in page, which is open or about to open. */
export async function giveCredentials(page: Page, { email, password: passwordTyped = password }: Exclude<Who, Role>) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(passwordTyped)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * Opens an address of the portal, or uses an open sign-in page, and signs in: by password, or by one click on the
 * demo's sign-in page. Waits until a portal page has a heading.
 */
export async function signIn(page: Page, who: Who, path?: string): Promise<void> {
  if (path !== undefined) await page.goto(path)
  if (typeof who !== 'string') await giveCredentials(page, who)
  else {
    const role = who.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`)
    await page.getByRole('button', { name: `Sign in as ${role}` }).click()
  }
  await page.waitForURL(({ pathname }) => !/^\/(identity|signed-in)(\/|$)/.test(pathname))
  await page.locator('main').getByRole('heading', { level: 1 }).first().waitFor()
}

/**
 * Gives a page's browser a session at the embedded provider, which the portal then uses automatically. The provider's
 * form is submitted without being drawn.
 */
async function openSession({ request }: Page, url: string, who: Who): Promise<void> {
  const user = typeof who === 'string' ? demoAccounts.find(({ role }) => role === who) : { password, ...who }
  if (!user) throw new Error(`The demo has no ${String(who)}`)
  const form = await request.get(anAuthorization({}, url).url)
  const { email, password: ownPassword } = user
  const answer = await request.post(form.url(), { form: { email, password: ownPassword } })
  if (!answer.url().startsWith(`${url}/signed-in?code=`))
    throw new Error(`${email} was not signed in: ${answer.status()} ${answer.url()}`)
}

/** A portal page in a new browser with a signed-in user; its time-outs are a minute. */
export async function signedIn(
  { url }: { url: string },
  who: Who,
  path: string,
  options: Partial<PageOptions> = {},
): ReturnType<typeof aPage> {
  const page = await aPage({ baseURL: url, ...options })
  page.setDefaultTimeout(60_000)
  await openSession(page, url, who)
  await page.goto(path)
  await page.locator('main').getByRole('heading', { level: 1 }).first().waitFor()
  return page
}
