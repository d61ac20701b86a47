import type { Portal } from '#contract/key-portal/portal.ts'

/** Beside its name, a wider logo would be too small to read. */
const fits = ({ width, height }: { width: number; height: number }) => width < 1.5 * height

/** The merchant's logo; without a fitting logo, the first letter of its name on its color. */
export function Brand({ portal, isLarge = false }: { portal: Portal; isLarge?: boolean }) {
  const logo = isLarge ? (portal.logo ?? portal.appLogo) : [portal.appLogo, portal.logo].find((one) => one && fits(one))
  const className = isLarge ? 'logo large' : 'logo'
  if (logo) return <img className={className} src={logo.url} width={logo.width} height={logo.height} alt="" />
  return (
    <span className={`${className} letter`} aria-hidden>
      {[...portal.name][0]?.toUpperCase()}
    </span>
  )
}
