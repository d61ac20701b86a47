/** Inputs without letters: the user ticks, presses, picks or drags them. */
const untyped = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'range', 'color'])

/** Whether a letter typed there is written or selects something: shortcuts then do not apply. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target.tagName === 'INPUT') return !untyped.has((target as HTMLInputElement).type)
  return target.tagName === 'TEXTAREA' || target.tagName === 'SELECT'
}
