import type { Portal } from '#contract/key-portal/portal.ts'

/** Sides of the generated icons: for Android and desktops, and for iOS. */
export const iconSides = [180, 192, 512] as const

/** A logo is an icon if it is square and not too small. */
const smallestIcon = 144

/** The page behind the app before it has drawn: the grounds of tokens.css. */
const grounds = { 0: '#f6f6f4', 1: '#141413' } as const

/** The web app manifest of a merchant's portal: each merchant's app is installed apart. */
export function manifestOf({ slug, name, colours, theme, appLogo }: Portal) {
  const home = `/key/${slug}`
  const isIcon = appLogo && appLogo.width === appLogo.height && appLogo.width >= smallestIcon
  return {
    id: `${home}/`,
    name,
    short_name: name.length > 12 ? (name.split(' ')[0] ?? name).slice(0, 12) : name,
    // With its slash: the app of another merchant, whose address begins alike, is not within it.
    start_url: `${home}/`,
    scope: `${home}/`,
    display: 'standalone',
    theme_color: colours.brand,
    background_color: grounds[theme],
    icons: [
      ...(isIcon ? [{ src: appLogo.url, sizes: `${appLogo.width}x${appLogo.height}` }] : []),
      ...iconSides
        .filter((side) => side !== 180)
        .flatMap((side) =>
          ['any', 'maskable'].map((purpose) => ({
            src: `${home}/icon-${side}.png`,
            sizes: `${side}x${side}`,
            type: 'image/png',
            purpose,
          })),
        ),
    ],
  }
}
