/** Browsers by their own names. A browser built on another precedes it. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  // Only Safari has a version apart; browsers that are built on it precede it.
  [/\bVersion\/\d/, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstOf = (products: typeof browsers, text: string) => products.find(([mark]) => mark.test(text))?.[1] ?? null

/** Browser and system of a `User-Agent`, by their brand names; null where missing. */
export const readUserAgent = (text: string): { browser: string | null; system: string | null } => ({
  browser: firstOf(browsers, text),
  system: firstOf(systems, text),
})
