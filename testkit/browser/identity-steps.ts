import type { Page } from 'playwright-core'
import type { Role } from '#contract/vocabulary/roles.ts'
import { aMerchant, aUser } from '../fixtures.ts'
import { anotherProvider } from '../servers/other-provider.ts'
import { type PageOptions, aPage as pageOf } from './browser.ts'
import { aFreePort, aPortal, type TestPortal } from './portal.ts'
import { aUserWithPassword } from './sign-in.ts'

/* Steps of tests about sign-in, sessions and providers. */

/** A page with short time-outs: what it waits for arrives soon or never. */
export async function aPage(options: PageOptions) {
  const page = await pageOf(options)
  page.setDefaultTimeout(15_000)
  return page
}

/** The admin of a new merchant, who signs in with a password. */
export async function anAdmin({ database }: Pick<TestPortal, 'database'>) {
  const merchant = await aMerchant(database)
  return aUserWithPassword(database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
}

export const account = (page: Page) => page.getByRole('button', { name: /your account/ })
export const atSignIn = (page: Page) => page.getByLabel('Email').waitFor()

/** The next answer with tokens. */
export const tokensCome = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith('/token') && response.request().method() === 'POST')

export async function signOut(page: Page) {
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Signs in at a provider on another site, which requires only a name. */
export async function enterAs(page: Page, name: string) {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Enter' }).click()
}

/** A portal whose users belong to a provider on another site. */
export async function withOtherProvider(scopes?: string, environment: Record<string, string> = {}) {
  const port = await aFreePort()
  const other = await anotherProvider(`http://localhost:${port}`, scopes)
  const portal = await aPortal({ PORT: String(port), ...other.environment, ...environment })
  const userOfOther = async (name: string, role: Role, claim: string) => {
    const merchant = await aMerchant(portal.database)
    const user = await aUser(portal.database, role, [{ merchantId: merchant.id, groups: 'all' }])
    await portal.database.admin('update users set issuer = $1, subject = $2 where id = $3', [
      other.issuer,
      name,
      user.id,
    ])
    other.claims.set(name, claim)
    return user
  }
  return { portal, other, userOfOther }
}
