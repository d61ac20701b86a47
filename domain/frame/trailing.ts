/** A text without a sign at its end, however often it is there. `replace(/0+$/, '')` tries again at each zero of the text. */
export function withoutTrailing(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end -= 1
  return text.slice(0, end)
}
