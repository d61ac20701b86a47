/*
 * The tokens of an HTML text, in time proportional to its length, whatever the text: every sign is read once.
 */

export type HtmlToken =
  | { kind: 'text'; text: string }
  /** Comments, declarations and processing instructions. */
  | { kind: 'other' }
  | { kind: 'tag'; name: string; isClosing: boolean; isEmpty: boolean; attributes: ReadonlyMap<string, string> }

const tagStart = /<(\/?)([a-z][\w:-]*)/iy
const blanks = /[\s/"']*/y
const attributeName = /[^\s=>"'/]+/y
const equals = /\s*=\s*/y
const bareValue = /[^\s>]*/y

/** A text's tokens in their order. References such as `&amp;` stay as written. A tag or comment without an end takes the rest of the text. */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(html)
    at += match?.[0].length ?? 0
    return match
  }
  const skipPast = (end: string, from: number) => {
    const endAt = html.indexOf(end, from)
    at = endAt < 0 ? html.length : endAt + end.length
  }
  const takeValue = () => {
    const quote = html[at]
    if (quote !== '"' && quote !== "'") return take(bareValue)?.[0] ?? ''
    const from = at + 1
    skipPast(quote, from)
    return html.slice(from, html[at - 1] === quote && at > from ? at - 1 : at)
  }
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open !== at) {
      const end = open < 0 ? html.length : open
      yield { kind: 'text', text: html.slice(at, end) }
      at = end
      continue
    }
    if (html.startsWith('<!--', at)) {
      // `<!-->` is a whole comment.
      skipPast('-->', at + 2)
      yield { kind: 'other' }
      continue
    }
    if (html[at + 1] === '!' || html[at + 1] === '?') {
      skipPast('>', at)
      yield { kind: 'other' }
      continue
    }
    const start = take(tagStart)
    if (!start) {
      at += 1
      yield { kind: 'text', text: '<' }
      continue
    }
    const attributes = new Map<string, string>()
    let isEmpty = false
    while (at < html.length && html[at] !== '>') {
      const gap = take(blanks)?.[0] ?? ''
      isEmpty = gap.endsWith('/') || (gap === '' && isEmpty)
      const name = take(attributeName)?.[0].toLowerCase()
      const hasValue = take(equals) !== null
      const value = hasValue ? takeValue() : ''
      if (name !== undefined) {
        isEmpty = false
        if (!attributes.has(name)) attributes.set(name, value)
      }
    }
    at += 1
    yield { kind: 'tag', name: (start[2] ?? '').toLowerCase(), isClosing: start[1] === '/', isEmpty, attributes }
  }
}
