import type { PortalColours } from '#contract/key-portal/portal.ts'
import { contrastOf } from '../frame/contrast.ts'

/** The contrast that text needs (WCAG 2, 1.4.3). */
export const enoughContrast = 4.5

const black = '#000000'
const white = '#ffffff'
/** The pages of the customers' app. */
export const lightPage = '#f0f0ed'
export const darkPage = '#242422'

/** Black or white, by the better contrast: with any color one of the two has more than 4.5. */
const textOn = (colour: string) => (contrastOf(white, colour) >= contrastOf(black, colour) ? white : black)

const channels = (colour: string) => [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16))

/** A color mixed with another one; `share` of 100 is the other one's. */
function mixed(colour: string, other: string, share: number): string {
  const target = channels(other)
  const parts = channels(colour).map((value, index) =>
    Math.round(value + (((target[index] ?? 0) - value) * share) / 100),
  )
  return `#${parts.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** The color as text on a page: itself if it can be read, otherwise darker or lighter, by as little as possible. */
function readableOn(colour: string, page: string): string {
  const towards = textOn(page)
  for (let share = 0; share < 100; share += 4) {
    const candidate = mixed(colour, towards, share)
    if (contrastOf(candidate, page) >= enoughContrast) return candidate
  }
  return towards
}

/** The colors of a portal from the merchant's color. All text in them can be read. */
export const portalColoursOf = (brand: string): PortalColours => ({
  brand,
  onBrand: textOn(brand),
  onLight: readableOn(brand, lightPage),
  onDark: readableOn(brand, darkPage),
})
