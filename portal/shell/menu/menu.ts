import { isEnabled, type MerchantFeatures } from '#portal/app/enabled.ts'
import type { Screen } from '#portal/app/screen.ts'
import { type Holder, userMay } from '#portal/app/session/may.ts'

/** Whether a user may see a screen: they have its permission, and the merchant has its feature. */
export const maySee = (
  screen: Pick<Screen, 'needs' | 'feature' | 'family'>,
  user: Holder,
  merchant: MerchantFeatures,
) => userMay(user, screen.needs) && isEnabled(screen, merchant)

/** The groups of the side menu with the screens that a user may see for a merchant; groups without any are left out. */
export const menuOf = <G extends { screens: readonly Screen[] }>(
  groups: readonly G[],
  user: Holder,
  merchant: MerchantFeatures,
): G[] =>
  groups.flatMap((group) => {
    const screens = group.screens.filter((screen) => maySee(screen, user, merchant))
    return screens.length > 0 ? [{ ...group, screens }] : []
  })

/** The first of several addresses whose screen a user may see; the dashboard if there is none. */
export const firstPlace = (
  screens: readonly Screen[],
  places: readonly string[],
  user: Holder | null | undefined,
): string =>
  places.find((place) => screens.some(({ path, needs }) => path === place && user && userMay(user, needs))) ??
  '/dashboard'

/** The screens above one, outermost first. */
export function ancestorsOf(screens: readonly Screen[], screen: Screen): Screen[] {
  const above = screens.find((one) => one.path === (screen.tabOf ?? screen.parent))
  return above && above !== screen ? [...ancestorsOf(screens, above), above] : []
}

/** The nearest address that exists for every merchant: the screen's own, or for a record's page its list. */
export const placeOf = (screens: readonly Screen[], screen: Screen): string =>
  [...ancestorsOf(screens, screen), screen].findLast(({ path }) => !path.includes('$'))?.path ?? '/dashboard'
