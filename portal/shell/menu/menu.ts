import { isEnabled, type MerchantFeatures } from '#portal/app/enabled.ts'
import type { MenuGroup, Screen } from '#portal/app/screen.ts'
import { type Holder, userMay } from '#portal/app/session/may.ts'

/** Whether a user may see a screen: they have its permission, and the merchant has its feature. */
export const maySee = (
  screen: Pick<Screen, 'needs' | 'feature' | 'family'>,
  user: Holder,
  merchant: MerchantFeatures,
) => userMay(user, screen.needs) && isEnabled(screen, merchant)

export interface MenuSection {
  section: string
  items: Screen[]
}
export type MenuEntry = Screen | MenuSection
export const isSection = (entry: MenuEntry): entry is MenuSection => 'items' in entry

/** The entries of the side menu for a user and a merchant, in the table's order. A section of one screen is shown as that screen. */
export function menuOf(screens: readonly Screen[], user: Holder, merchant: MerchantFeatures) {
  const groups = new Map<MenuGroup, MenuEntry[]>()
  for (const screen of screens) {
    if (!screen.menu || !maySee(screen, user, merchant)) continue
    const entries = groups.get(screen.menu.group) ?? []
    groups.set(screen.menu.group, entries)
    const { section } = screen.menu
    const open = section && entries.find((entry): entry is MenuSection => isSection(entry) && entry.section === section)
    if (open) open.items.push(screen)
    else entries.push(section ? { section, items: [screen] } : screen)
  }
  return [...groups].map(([group, entries]) => ({
    group,
    entries: entries.map((entry) =>
      isSection(entry) && entry.items.length === 1 ? (entry.items[0] as Screen) : entry,
    ),
  }))
}

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
