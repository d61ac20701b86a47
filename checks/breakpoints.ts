import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './sources.ts'

/** The specification's breakpoints, in pixels: xs, sm, md and lg. */
export const breakpoints = [600, 960, 1264, 1904] as const

const allowed = new Set(breakpoints.flatMap((width) => [`min-width:${width}px`, `max-width:${width - 0.02}px`]))

/** Widths that a text asks the window for, as they are written: in media queries of a style sheet, or of a script. */
export const widthsAsked = (text: string): string[] =>
  [...text.matchAll(/@media[^{]*|matchMedia[^)]*|useMediaQuery[^)]*/g)].flatMap(([query]) =>
    [
      ...query.matchAll(
        /(?:min|max)-(?:device-)?width\s*:\s*[^)'"`]+|\b(?:width|inline-size)\s*[<>]=?\s*[^)'"`]+|[\d.]+(?:px|em|rem)\s*[<>]=?\s*width/g,
      ),
    ].map(([width]) => width.replaceAll(/\s/g, '')),
  )

/** Widths in the text that the specification does not define. */
export const strangeWidths = (text: string) => widthsAsked(text).filter((width) => !allowed.has(width))

/** Every style sheet and script that browsers get. */
export const looks = () =>
  globSync(['portal/**/*.{css,ts,tsx,js,html}', 'server/**/*.css'], { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }))
